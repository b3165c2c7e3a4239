//! A progress bar on standard error.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether a progress bar is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// In an interactive terminal. A CI system (`CI` is set) may provide a terminal too, but reads the bar as the
    /// beginning of the next line and would miss an annotation there.
    Shown,
    /// Never.
    Hidden,
}

impl Progress {
    /// A bar for this number of units.
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
