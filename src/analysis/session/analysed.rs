//! One unit analysed in a session: its outcome, and what carries that over to the next text.
//!
//! In: a unit, and the last analysis of it. Out: [`Analysed`], which follows quiet edits.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::analysis::outcome::Outcome;
use crate::analysis::pipeline::{ResumedUnit, Stages, run};
use crate::facts::{HeaderWalks, facts_again};
use crate::preprocess::{Preprocessed, preprocess};
use crate::project::TranslationUnit;
use crate::source::{FileId, SourceFile, Sources};
use crate::variance::Variance;

use super::caches::SessionCaches;
use super::entities::Entities;
use super::later::Later;
use super::places::{move_entities, move_outcome};
use super::quiet::FileDependencies;
use super::shift::Shift;
use super::under_way::Begun;

/// A unit's outcome with what a session keeps for the next text of the unit; of a unit that nobody edits, the outcome
/// alone.
#[derive(Debug, Default)]
pub(super) struct Analysed {
    /// The outcome.
    pub(super) outcome: Outcome,
    /// The dependencies of the outcome on the main file and on open headers; they are collected while the outcome is
    /// shown.
    pub(super) dependencies: Later<Vec<FileDependencies>>,
    /// For questions about kernels.
    pub(super) entities: Option<Entities>,
    /// The facts that walking the roots of the preamble gave.
    pub(super) walked: Vec<Arc<HeaderWalks>>,
}

impl From<Outcome> for Analysed {
    fn from(outcome: Outcome) -> Analysed {
        Analysed { outcome, ..Analysed::default() }
    }
}

impl Analysed {
    /// Analyses a unit that is being edited, going on from what the last analysis left. `open` are the files that
    /// somebody edits, of which its main file is one. `begun` gets the unit as soon as it is preprocessed.
    pub(super) fn of(
        unit: &TranslationUnit,
        sources: &Sources,
        caches: &SessionCaches,
        open: &FxHashSet<PathBuf>,
        last: &[Arc<HeaderWalks>],
        begun: &Begun<'_>,
    ) -> Analysed {
        let shared = &caches.shared;
        let lease = caches.edited.lease();
        let resumed = ResumedUnit::new(preprocess(unit, sources, &shared.headers), Arc::clone(&lease.cache));
        let resumed = Arc::new(resumed);
        begun.publish(&resumed);
        let preprocessed = &resumed.unit;
        let mut walked = Vec::new();
        let facts = |variance: &Variance| {
            let (facts, left) =
                facts_again(unit, preprocessed, variance, &shared.parsed, &resumed.left(Some(last)));
            walked = resumed.keep(left);
            facts
        };
        let variance = |compared| resumed.variance(compared);
        let Stages { compared, variance, mut facts, outcome } =
            run(unit, sources, shared, preprocessed, variance, facts);
        let files = edited(unit, preprocessed, open, sources);
        let looked_into = std::mem::take(&mut facts.looked_into);
        let entities = Some(Entities::of(facts));
        let mut analysed = Analysed { outcome, walked, entities, ..Analysed::default() };
        if !files.is_empty() {
            let parsed = Arc::clone(&shared.parsed);
            analysed.dependencies = Later::begin(move || {
                FileDependencies::of(files, &resumed.unit, &variance, &looked_into, compared, &parsed)
            });
        }
        analysed
    }

    /// Makes it the analysis of the newest texts of its main file and of open headers, if these were edited quietly.
    pub(super) fn follow(&mut self, sources: &Sources) -> bool {
        for number in 0..self.dependencies.wait().len() {
            let known = &mut self.dependencies.wait()[number];
            let Ok(newest) = sources.read(&known.file.path) else { return false };
            if newest.id == known.file.id {
                continue;
            }
            let Some(shift) = known.follow(&newest) else { return false };
            if self.move_places(&shift).is_none() {
                self.dependencies.wait().clear();
                return false;
            }
        }
        !self.dependencies.wait().is_empty()
    }

    /// It read one of these files.
    pub(super) fn reads_any(&self, files: &[FileId]) -> bool {
        self.outcome.files.iter().any(|file| files.contains(file))
    }

    /// An edit that supersedes these files may be followed.
    pub(super) fn may_follow(&mut self, superseded: &[FileId]) -> bool {
        let known = self.dependencies.wait();
        superseded.iter().all(|file| known.iter().any(|one| one.file.id == *file))
    }

    /// Moves every place in it; `None` if one is cut.
    fn move_places(&mut self, shift: &Shift) -> Option<()> {
        move_outcome(&mut self.outcome, shift)?;
        self.entities.iter_mut().try_for_each(|entities| move_entities(entities, shift))
    }
}

/// The main file and the open headers of the project that a unit reads.
fn edited(
    unit: &TranslationUnit,
    preprocessed: &Preprocessed,
    open: &FxHashSet<PathBuf>,
    sources: &Sources,
) -> Vec<Arc<SourceFile>> {
    let Ok(main) = sources.read(&unit.main) else { return Vec::new() };
    let own =
        preprocessed.files.iter().filter(|file| !preprocessed.system.contains(file) && **file != main.id);
    let headers = own.map(|file| sources.file(*file)).filter(|file| open.contains(&file.path));
    let headers: Vec<_> = headers.collect();
    [main].into_iter().chain(headers).collect()
}
