//! A progress bar on standard error, which names a unit that takes long.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::project::TranslationUnit;
use crate::report::display_path;

/// Whether a progress bar is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// In an interactive terminal. A CI system (`CI` is set) may provide a terminal too, but reads the bar as the
    /// beginning of the next line and would miss an annotation there.
    Shown,
    /// Never.
    Hidden,
}

/// After this time a unit is named.
const LONG: Duration = Duration::from_secs(2);

/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(200);

/// The units at work, and since when.
type AtWork = Arc<Mutex<BTreeMap<PathBuf, Instant>>>;

/// A bar for some units.
pub(super) struct Bar {
    bar: ProgressBar,
    at_work: AtWork,
}

impl Progress {
    /// A bar for this number of units.
    pub(super) fn begin(self, units: usize) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::hidden());
        let at_work = AtWork::default();
        let looked_at = stderr().is_terminal() && std::env::var_os("CI").is_none();
        if self == Progress::Shown && looked_at {
            let units = Arc::clone(&at_work);
            let longest = move |_: &ProgressState, out: &mut dyn Write| {
                // A line that can't be written is not shown.
                let _ = out.write_str(&longest(&units, Instant::now()));
            };
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} units, {elapsed}{longest}")
                .expect("the template is well formed");
            bar.set_style(style.with_key("longest", longest));
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
            bar.enable_steady_tick(TICK);
        }
        Bar { bar, at_work }
    }
}

impl Bar {
    /// The analysis of a unit begins.
    pub(super) fn begins(&self, unit: &TranslationUnit) {
        let mut units = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        units.insert(unit.main.clone(), Instant::now());
    }

    /// The analysis of a unit has ended.
    pub(super) fn ended(&self, unit: &TranslationUnit) {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).remove(&unit.main);
        self.bar.inc(1);
    }

    /// Does something that prints, with the bar out of the way.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The unit that has been at work longest, if that is long: `, src/a.cu takes 12 s`.
fn longest(units: &AtWork, now: Instant) -> String {
    let units = units.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((path, since)) = units.iter().min_by_key(|(_, since)| **since) else { return String::new() };
    let time = now.saturating_duration_since(*since);
    match time >= LONG {
        true => format!(", {} takes {} s", display_path(path), time.as_secs()),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_that_takes_longest_is_named_when_it_takes_long() {
        let units = AtWork::default();
        let now = Instant::now() + Duration::from_secs(60);
        assert_eq!(longest(&units, now), "");
        for (name, seconds) in [("b.cu", 9), ("a.cu", 3)] {
            units.lock().unwrap().insert(name.into(), now - Duration::from_secs(seconds));
        }
        assert_eq!(longest(&units, now), ", b.cu takes 9 s");
        units.lock().unwrap().insert("b.cu".into(), now);
        assert_eq!(longest(&units, now - LONG), "");
    }
}
