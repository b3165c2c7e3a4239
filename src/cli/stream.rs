//! The lines of findings that are printed while the run goes on.
//!
//! In: the findings of units, in the order of the units. Out: their lines on standard output, in a format of lines, and which
//! they were. What can still change is left for the end: findings that are joined with those of other units.

use std::io::{Write, stdout};
use std::sync::{Mutex, PoisonError};

use crate::analysis::Observer;
use crate::finding::{Finding, Numbered};
use crate::project::TranslationUnit;
use crate::report::{Format, Printed};
use crate::source::Sources;
use crate::triage::{Policy, joinable, triage_numbered};

use super::progress::Bar;

/// Prints findings as units end.
pub(super) struct Stream<'a> {
    format: &'a Format,
    policy: &'a Policy,
    sources: &'a Sources,
    state: Mutex<State>,
}

/// What was printed.
#[derive(Default)]
struct State {
    printed: Printed,
    numbered: Numbered,
    /// The reader has closed the pipe.
    closed: bool,
}

impl<'a> Stream<'a> {
    /// Nothing was printed yet.
    pub(super) fn new(format: &'a Format, policy: &'a Policy, sources: &'a Sources) -> Stream<'a> {
        Stream { format, policy, sources, state: Mutex::default() }
    }

    /// Prints the findings of a unit that no other unit had before.
    fn print(&self, findings: Vec<Finding>) {
        let Some(line) = self.format.line else { return };
        let state = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let findings = findings.into_iter().filter(|one| !joinable(one)).filter(|one| state.printed.add(one));
        let findings: Vec<Finding> = findings.collect();
        let reported = triage_numbered(findings, self.policy, self.sources, &mut state.numbered);
        let lines: String = reported.iter().map(|one| line(self.sources, one)).collect();
        let mut out = stdout().lock();
        let printed = !state.closed && out.write_all(lines.as_bytes()).and_then(|()| out.flush()).is_ok();
        state.closed |= !printed;
    }

    /// The findings that were printed.
    pub(super) fn finish(self) -> Printed {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).printed
    }
}

/// What a run tells while it goes on.
pub(super) struct Watched<'a> {
    /// The progress bar.
    pub(super) bar: Bar,
    /// The printed findings, for a format of lines.
    pub(super) stream: Option<Stream<'a>>,
}

impl Observer for Watched<'_> {
    fn begins(&self, unit: &TranslationUnit) {
        self.bar.begins(unit);
    }

    fn ended(&self, unit: &TranslationUnit) {
        self.bar.ended(unit);
    }

    fn found(&self, findings: Vec<Finding>) {
        if let Some(stream) = &self.stream {
            self.bar.aside(|| stream.print(findings));
        }
    }
}
