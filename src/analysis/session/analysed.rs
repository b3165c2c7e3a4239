//! One unit analysed in a session: its outcome, and what carries that over to the next text.
//!
//! In: a unit, and the last analysis of it. Out: [`Analysed`], which follows quiet edits.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::analysis::outcome::Outcome;
use crate::analysis::pipeline::{ResumedUnit, Stages, analyse_unit_keeping, run};
#[cfg(test)]
use crate::cancel::CancelFlag;
use crate::facts::{HeaderWalks, facts_again};
use crate::preprocess::{Event, EventKind, Preprocessed, preprocess};
use crate::project::TranslationUnit;
use crate::source::{FileId, SourceFile, Sources};
use crate::variance::Variance;

use super::caches::SessionCaches;
use super::entities::Entities;
use super::later::{Awaited, Later};
use super::places::{move_entities, move_outcome};
use super::quiet::FileDependencies;
use super::shift::Shift;
use super::under_way::Begun;

/// A unit's outcome with what a session keeps for the next text of the unit; of a unit that nobody edits or asks about, the
/// outcome alone.
#[derive(Debug, Default)]
pub(super) struct Analysed {
    /// The outcome.
    pub(super) outcome: Outcome,
    /// The dependencies of the outcome on the main file and on open headers; they are collected while the outcome is
    /// shown.
    dependencies: Later<Vec<FileDependencies>>,
    /// These files, as they were analysed.
    collected: Vec<FileId>,
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
    /// Analyses a unit that nobody edits, but that is asked about the open headers that it reads.
    pub(super) fn with_entities(
        unit: &TranslationUnit,
        sources: &Sources,
        caches: &SessionCaches,
    ) -> Analysed {
        let keep = |facts| Some(Entities::of(facts));
        let (outcome, entities) = analyse_unit_keeping(unit, sources, &caches.shared, keep);
        Analysed { outcome, entities, ..Analysed::default() }
    }

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
                facts_again(unit, preprocessed, variance, &shared.parsed, None, &resumed.left(Some(last)));
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
            analysed.collected = files.iter().map(|file| file.id).collect();
            let parsed = Arc::clone(&shared.parsed);
            analysed.dependencies = Later::begin(move || {
                FileDependencies::of(files, &resumed.unit, &variance, &looked_into, compared, &parsed)
            });
        }
        analysed
    }

    /// Its dependencies are being collected.
    pub(super) fn is_collecting(&self) -> bool {
        self.dependencies.is_coming()
    }

    /// Its dependencies, for whoever waits until they are collected.
    pub(super) fn awaited(&self) -> Option<Awaited<Vec<FileDependencies>>> {
        self.dependencies.awaited()
    }

    /// Collects its dependencies as if it took until the signal.
    #[cfg(test)]
    pub(super) fn collect_after(&mut self, signal: std::sync::mpsc::Receiver<()>) {
        self.awaited().into_iter().for_each(|one| one.wait(&CancelFlag::default()));
        let known = std::mem::take(self.dependencies.here().expect("it was waited for"));
        self.collected = known.iter().map(|one| one.file.id).collect();
        self.dependencies = Later::begin(move || {
            signal.recv().expect("it is sent");
            known
        });
    }

    /// Collects its dependencies as if it took for ever.
    #[cfg(test)]
    pub(super) fn collect_without_end(&mut self) {
        self.dependencies = Later::begin(|| {
            loop {
                crate::cancel::unwind_if_cancelled();
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
    }

    /// The files on which its dependencies are known, or will be.
    pub(super) fn collected(&self) -> &[FileId] {
        &self.collected
    }

    /// Nobody edits the unit any more.
    pub(super) fn keep_outcome(&mut self) {
        self.forget_dependencies();
        self.entities = None;
        self.walked = Vec::new();
    }

    /// No edit is followed any more.
    pub(super) fn forget_dependencies(&mut self) {
        self.dependencies = Later::default();
        self.collected.clear();
    }

    /// Makes it the analysis of the newest texts of its main file and of open headers, if its dependencies are collected and
    /// these files were edited quietly.
    pub(super) fn follow(&mut self, sources: &Sources) -> bool {
        let count = self.dependencies.here().map_or(0, |all| all.len());
        for number in 0..count {
            let Some(known) = self.dependencies.here().and_then(|all| all.get_mut(number)) else {
                return false;
            };
            let Ok(newest) = sources.read(&known.file.path) else { return false };
            if newest.id == known.file.id {
                continue;
            }
            let Some(shift) = known.follow(&newest) else { return false };
            if self.move_places(&shift).is_none() {
                self.forget_dependencies();
                return false;
            }
        }
        count > 0
    }

    /// It read one of these files. One that stopped on a defect may have read any.
    pub(super) fn reads_any(&self, files: &[FileId]) -> bool {
        let read = &self.outcome.files;
        !files.is_empty() && (read.is_empty() || read.iter().any(|file| files.contains(file)))
    }

    /// It read this file, or an earlier text of it.
    pub(super) fn did_read(&self, path: &Path, sources: &Sources) -> bool {
        self.outcome.files.iter().any(|file| sources.file(*file).path == path)
    }

    /// An edit that supersedes these files may be followed.
    pub(super) fn may_follow(&mut self, superseded: &[FileId]) -> bool {
        match self.dependencies.here() {
            Some(known) => superseded.iter().all(|file| known.iter().any(|one| one.file.id == *file)),
            None => superseded.iter().all(|file| self.collected.contains(file)),
        }
    }

    /// An edit may be followed.
    pub(super) fn may_be_followed(&mut self) -> bool {
        self.dependencies.here().is_none_or(|known| !known.is_empty())
    }

    /// Moves every place in it; `None` if one is cut.
    fn move_places(&mut self, shift: &Shift) -> Option<()> {
        move_outcome(&mut self.outcome, shift)?;
        self.entities.iter_mut().try_for_each(|entities| move_entities(entities, shift))
    }
}

/// The main file of a unit, and the open headers of the project that it reads; those that it reads twice are left out.
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
    let is_read_once = |file: &Arc<SourceFile>| {
        let enters = |event: &&Event| matches!(event.kind, EventKind::Enter { file: entered, .. } if entered == file.id);
        preprocessed.events().iter().filter(enters).count() == 1
    };
    let headers: Vec<_> = headers.filter(is_read_once).collect();
    [main].into_iter().chain(headers).collect()
}
