//! The option `--timings`: how long the stages of a run took, which units took longest, and what was taken over from one unit
//! to the next.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::analysis::{Analysis, Reuse, UnitTimes};
use crate::report::{count, display_path};

/// The number of units that are named.
const SLOWEST: usize = 10;

/// The stages of a run, with the time that each took on the clock.
pub(super) struct Timings {
    begin: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// A run begins.
    pub(super) fn begin() -> Timings {
        Timings { begin: Instant::now(), stages: Vec::new() }
    }

    /// A stage has ended, which began when the one before it did end.
    pub(super) fn ended(&mut self, stage: &'static str) {
        let before: Duration = self.stages.iter().map(|(_, time)| *time).sum();
        self.stages.push((stage, self.begin.elapsed().saturating_sub(before)));
    }

    /// The lines that tell all of it.
    pub(super) fn text(&self, analysis: &Analysis) -> String {
        let mut text = String::new();
        let all: Duration = self.stages.iter().map(|(_, time)| *time).sum();
        let threads = rayon::current_num_threads();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all that is written");
        line(format!("timings: {} in all, with {}", seconds(all), count(threads, "thread")));
        self.stages.iter().for_each(|(stage, time)| line(row(*time, stage)));
        line("stages of the analysis, all units added up:".into());
        let units = &analysis.times;
        let stages = UnitTimes::default().stages.list();
        for (index, (stage, _)) in stages.iter().enumerate() {
            line(row(units.iter().map(|unit| unit.stages.list()[index].1).sum(), stage));
        }
        let mut slowest: Vec<&UnitTimes> = units.iter().collect();
        slowest.sort_by_key(|unit| std::cmp::Reverse(unit.stages.total()));
        line("slowest units:".into());
        for unit in slowest.iter().take(SLOWEST) {
            let parts = unit.stages.list().map(|(stage, time)| format!("{stage} {}", seconds(time)));
            line(row(unit.stages.total(), &format!("{} ({})", display_path(&unit.unit), parts.join(", "))));
        }
        line(format!("readings of headers: {}", reuse(analysis.shared.headers)));
        line(format!("parsed declarations: {}", reuse(analysis.shared.declarations)));
        line(format!("return types of functions: {}", reuse(analysis.shared.results)));
        text
    }
}

fn row(time: Duration, what: &str) -> String {
    format!("{:>10}  {what}", seconds(time))
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn reuse(reuse: Reuse) -> String {
    format!("{} kept, {} made anew", reuse.kept, reuse.made)
}
