//! A bar on standard error that shows how far an analysis is.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// In a terminal that someone looks at: CI systems (`CI` is set) may have one, too, whose reader takes the bar for
    /// the beginning of the next line and so misses an annotation.
    Shown,
    /// Nowhere.
    Hidden,
}

impl Progress {
    /// A bar for so many units.
    pub(super) fn begin(self, units: usize) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::hidden());
        let looked_at = stderr().is_terminal() && std::env::var_os("CI").is_none();
        if self == Progress::Shown && looked_at {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} units, {elapsed}")
                .expect("the template is well formed");
            bar.set_style(style);
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
        bar
    }
}
