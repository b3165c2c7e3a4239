//! How long the stages of a unit took, and what units took over from each other, as plain data.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time that each stage of a unit took on the clock.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StageTimes {
    /// Reading and preprocessing.
    pub preprocess: Duration,
    /// Finding what varies.
    pub variance: Duration,
    /// Parsing and comparing.
    pub facts: Duration,
    /// The rules, and what is kept for those across units.
    pub rules: Duration,
}

impl StageTimes {
    /// The stages with their names, in order.
    pub fn list(&self) -> [(&'static str, Duration); 4] {
        [
            ("preprocessing", self.preprocess),
            ("what varies", self.variance),
            ("facts", self.facts),
            ("rules", self.rules),
        ]
    }

    /// All stages together.
    pub fn total(&self) -> Duration {
        self.list().iter().map(|(_, time)| *time).sum()
    }
}

/// The time that a unit took.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UnitTimes {
    /// The main file.
    pub unit: PathBuf,
    /// The stages.
    pub stages: StageTimes,
}

/// How often a result was taken over from another unit or place, and how often it was made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reuse {
    /// Taken over.
    pub kept: usize,
    /// Made.
    pub made: usize,
}

/// What units of a run share.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shared {
    /// Readings of headers.
    pub headers: Reuse,
    /// Parsed declarations.
    pub declarations: Reuse,
    /// Return types of functions.
    pub results: Reuse,
}

/// The result of some work, and the time that it took on the clock.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    (work(), begin.elapsed())
}
