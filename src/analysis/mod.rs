//! The one entry for the command line and the language server.
//!
//! In: translation units. Out: [`Analysis`], the findings of all of them and what could not be analysed. Schedules the
//! stages over the units in parallel and isolates panics. A unit goes on from what was found of the headers that the unit
//! before it begins with too. [`analyse`] does it once, a [`Session`] again and again while texts change.

mod threads;
mod timing;
mod outcome;
mod pipeline;
mod instances;
mod merge;
mod observe;
mod included;
mod session;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::cancel::{CancelFlag, unless_cancelled};
use crate::project::{TranslationUnit, UnitKind};
use crate::source::Sources;

pub use merge::Analysis;
pub use observe::Observer;
pub use outcome::UnitProblem;
pub use session::{MacroMeaning, Session, UnitView};
pub use threads::on_deep_stacks;
pub use timing::{Reuse, Shared, StageTimes, UnitTimes};

use included::resolved;
use merge::{Extent, merge, one_a_cause};
use observe::InOrder;
use outcome::Outcome;
use pipeline::{Caches, analyse_unit, isolated};

/// Analyses units: every rule over every one of them, then the rules across them. Headers that are
/// units of their own are looked at only when no source includes them.
pub fn analyse(units: &[TranslationUnit], sources: &Sources) -> Analysis {
    analyse_observed(units, sources, &(), &CancelFlag::default())
}

/// Like [`analyse`], and tells the observer how it goes on. When the flag is set, no further unit begins, those at work are
/// given up, and the result is that of the units that had ended: it names the others.
pub fn analyse_observed(
    units: &[TranslationUnit],
    sources: &Sources,
    observer: &dyn Observer,
    cancel: &CancelFlag,
) -> Analysis {
    on_deep_stacks(|| {
        let caches = Caches::default();
        let run = Run { sources, caches, observer, cancel, order: InOrder::new(observer) };
        run.all(units)
    })
}

/// An analysis that goes on.
struct Run<'a> {
    sources: &'a Sources,
    caches: Caches,
    observer: &'a dyn Observer,
    cancel: &'a CancelFlag,
    order: InOrder<'a>,
}

impl Run<'_> {
    fn all(&self, units: &[TranslationUnit]) -> Analysis {
        let (headers, main): (Vec<_>, Vec<_>) = units.iter().partition(|unit| unit.kind == UnitKind::Header);
        let mut outcomes = self.each(0, &main);
        let mut included: BTreeSet<PathBuf> = BTreeSet::new();
        for outcome in outcomes.iter().flatten() {
            included.extend(outcome.files.iter().map(|file| resolved(&self.sources.file(*file).path)));
        }
        let alone: Vec<_> =
            headers.into_iter().filter(|unit| !included.contains(&resolved(&unit.main))).collect();
        if !self.cancel.is_set() {
            outcomes.extend(self.each(main.len(), &alone));
        }
        let left_out = main
            .iter()
            .chain(&alone)
            .enumerate()
            .filter(|(index, _)| outcomes.get(*index).is_none_or(Option::is_none));
        let left_out: Vec<PathBuf> = left_out.map(|(_, unit)| unit.main.clone()).collect();
        let extent = if left_out.is_empty() { Extent::Whole } else { Extent::Part };
        let outcomes: Vec<&Outcome> = outcomes.iter().flatten().collect();
        let analysis = merge(&outcomes, self.sources, extent);
        Analysis { left_out, shared: self.caches.shared(), ..analysis }
    }

    /// The outcomes of units, of which the first has the number `first`; `None` for those that were cancelled. They are begun in
    /// their order, so that what is told in that order need not wait for long.
    fn each(&self, first: usize, units: &[&TranslationUnit]) -> Vec<Option<Outcome>> {
        let outcomes = units.iter().enumerate().par_bridge();
        let outcomes = outcomes.map(|(index, unit)| (index, self.one(first + index, unit)));
        let mut outcomes: Vec<(usize, Option<Outcome>)> = outcomes.collect();
        outcomes.sort_by_key(|(index, _)| *index);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect()
    }

    fn one(&self, index: usize, unit: &TranslationUnit) -> Option<Outcome> {
        if self.cancel.is_set() {
            return None;
        }
        self.observer.begins(unit);
        let analyse = || isolated(unit, || analyse_unit(unit, self.sources, &self.caches));
        let outcome = unless_cancelled(self.cancel, analyse);
        self.observer.ended(unit);
        let findings = outcome.iter().flat_map(|outcome| outcome.findings.iter().cloned()).collect();
        self.order.ended(index, one_a_cause(findings, self.sources));
        outcome
    }
}
