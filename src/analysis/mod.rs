//! The one entry for the command line and the language server.
//!
//! In: translation units. Out: [`Analysis`], the findings of all of them and what could not be analysed. Schedules the
//! stages over the units in parallel and isolates panics. A unit goes on from what was found of the headers that the unit
//! before it begins with too. [`analyse`] does it once, a [`Session`] again and again while texts change.

mod threads;
mod outcome;
mod pipeline;
mod merge;
mod included;
mod session;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::project::{TranslationUnit, UnitKind};
use crate::source::Sources;

pub use merge::Analysis;
pub use outcome::UnitProblem;
pub use session::{MacroMeaning, Session, UnitView};
pub use threads::on_deep_stacks;

use included::resolved;
use merge::merge;
use outcome::Outcome;
use pipeline::{Caches, analyse_unit, isolated};

/// Analyses units: every rule over every one of them, then the rules across them. Headers that are
/// units of their own are looked at only when no source includes them.
/// `done` is called after each unit, from any thread.
pub fn analyse(units: &[TranslationUnit], sources: &Sources, done: &(dyn Fn() + Sync)) -> Analysis {
    on_deep_stacks(|| analyse_all(units, sources, done))
}

fn analyse_all(units: &[TranslationUnit], sources: &Sources, done: &(dyn Fn() + Sync)) -> Analysis {
    let caches = Caches::default();
    let outcome_of = |unit: &&TranslationUnit| {
        let outcome = isolated(unit, || analyse_unit(unit, sources, &caches));
        done();
        outcome
    };
    let (headers, main): (Vec<_>, Vec<_>) = units.iter().partition(|unit| unit.kind == UnitKind::Header);
    let mut outcomes: Vec<Outcome> = main.par_iter().map(outcome_of).collect();
    let mut included: BTreeSet<PathBuf> = BTreeSet::new();
    for outcome in &outcomes {
        included.extend(outcome.files.iter().map(|file| resolved(&sources.file(*file).path)));
    }
    let alone: Vec<_> =
        headers.into_iter().filter(|unit| !included.contains(&resolved(&unit.main))).collect();
    outcomes.par_extend(alone.par_iter().map(outcome_of));
    merge(&outcomes.iter().collect::<Vec<_>>(), sources)
}
