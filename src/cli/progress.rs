//! A bar on standard error that shows how far an analysis is.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// In a terminal.
    Shown,
    /// Nowhere.
    Hidden,
}

impl Progress {
    /// A bar for so many units.
    pub(super) fn begin(self, units: usize) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::hidden());
        if self == Progress::Shown && stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} units, {elapsed}")
                .expect("the template is well formed");
            bar.set_style(style);
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
        bar
    }
}
