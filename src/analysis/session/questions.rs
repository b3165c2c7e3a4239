//! Questions about the units of a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::merge::{Analysis, Extent, merge};
use crate::analysis::outcome::Outcome;
use crate::cancel::unwind_if_cancelled;
use crate::finding::Region;
use crate::preprocess::{Preprocessed, preprocess};
use crate::project::{TranslationUnit, UnitKind};
use crate::source::FileId;
use crate::target::Passes;

use super::slot::Slot;
use super::units::Session;
use super::view::UnitView;

/// Message of `expect` on the lock of the last view.
const NO_PANIC: &str = "nothing panics while it holds the lock";

impl Session {
    /// The analysis of the units that are up to date.
    pub fn analysis(&mut self) -> Analysis {
        self.release();
        let alone = self.headers_alone();
        let shown = |(index, slot): &(usize, &Slot)| {
            slot.fresh && (slot.unit.kind == UnitKind::Source || alone.contains(index))
        };
        let slots = self.slots.iter().enumerate().filter(shown);
        let outcomes: Vec<&Outcome> =
            slots.filter_map(|(_, slot)| Some(&slot.analysed.as_ref()?.outcome)).collect();
        merge(outcomes, &self.sources, Extent::Whole)
    }

    /// The units that read one of these files.
    pub fn units_reading(&self, paths: &[PathBuf]) -> Vec<TranslationUnit> {
        let files: Vec<FileId> =
            paths.iter().filter_map(|path| self.sources.known(path)).map(|file| file.id).collect();
        let reads =
            |slot: &&Slot| files.iter().any(|file| slot.reads(*file)) || paths.contains(&slot.unit.main);
        self.slots.iter().filter(reads).map(|slot| slot.unit.clone()).collect()
    }

    /// A unit, preprocessed from the current texts.
    pub fn preprocessed(&self, unit: &TranslationUnit) -> Preprocessed {
        preprocess(unit, &self.sources, &self.caches.shared.headers)
    }

    /// The passes of each unit, each list once.
    pub fn passes(&self) -> Vec<Passes> {
        let mut all: Vec<Passes> = Vec::new();
        for slot in &self.slots {
            if !all.contains(&slot.unit.passes) {
                all.push(slot.unit.passes.clone());
            }
        }
        all
    }

    /// The groups of the conditionals of a file as the first unit sees them that reads it and is up to date, by
    /// place. Those of a unit whose newest text is being analysed are made of that. `None` if there is no such unit.
    pub fn regions(&self, path: &Path) -> Option<Vec<Region>> {
        let file = self.sources.known(path)?.id;
        let in_file = |region: &&Region| region.at.file == file;
        match self.reader(path) {
            Some(reader) => {
                let outcome = &self.slots[reader].analysed.as_ref()?.outcome;
                Some(outcome.regions.iter().filter(in_file).cloned().collect())
            }
            None => Some(self.view(path)?.regions().iter().filter(in_file).cloned().collect()),
        }
    }

    /// The unit that [`Session::regions`] takes, with the results of its stages; kept until a text changes.
    pub fn view(&self, path: &Path) -> Option<Arc<UnitView>> {
        let index = self.reader(path).or_else(|| self.outdated_reader(path))?;
        let slot = &self.slots[index];
        let known = slot.analysed.as_ref().and_then(|last| last.entities.clone());
        let last = self.view.lock().expect(NO_PANIC).clone().filter(|view| view.unit == slot.unit);
        let unit = slot.unit.clone();
        let view = match (last, known) {
            (Some(view), _) if view.is_analysed == slot.fresh => return Some(view),
            (Some(view), Some(known)) if slot.fresh => view.after_analysis(known),
            (_, known) if slot.fresh => UnitView::new(unit, &self.sources, &self.caches, known),
            (_, known) => {
                let is_edited = self.replaced.iter().any(|one| one.path == unit.main);
                let under_way = (!is_edited).then(|| self.under_way.preprocessed(index)).flatten();
                let under_way = under_way.filter(|one| self.is_newest(&one.unit));
                unwind_if_cancelled();
                let known = known.unwrap_or_default();
                UnitView::before_analysis(unit, &self.sources, &self.caches, known, under_way)
            }
        };
        let view = Arc::new(view);
        *self.view.lock().expect(NO_PANIC) = Some(Arc::clone(&view));
        Some(view)
    }

    /// Whether no file of a unit that is being analysed has been replaced since that began.
    fn is_newest(&self, unit: &Preprocessed) -> bool {
        let mut superseded = self.replaced.iter().flat_map(|one| &one.superseded);
        superseded.all(|file| !unit.files.contains(file))
    }

    /// Whether there is a unit for [`Session::view`].
    pub fn knows(&self, path: &Path) -> bool {
        self.reader(path).or_else(|| self.outdated_reader(path)).is_some()
    }

    /// The first unit whose newest text can be asked before its analysis: the file's own, or one that read an earlier text of
    /// the file. A header's own unit counts only if it was analysed while it was open: before, sources may turn out to
    /// include it.
    fn outdated_reader(&self, path: &Path) -> Option<usize> {
        let is_own = |slot: &Slot| {
            slot.unit.main == path
                && (slot.unit.kind == UnitKind::Source
                    || slot.analysed.as_ref().is_some_and(|last| last.entities.is_some()))
        };
        let did_read = |slot: &Slot| {
            let last = slot.analysed.as_ref().filter(|_| !slot.fresh && slot.unit.kind == UnitKind::Source);
            last.is_some_and(|last| last.did_read(path, &self.sources))
        };
        self.slots.iter().position(is_own).or_else(|| self.slots.iter().position(did_read))
    }

    /// The first unit that reads a file and is up to date, its own if it is one.
    fn reader(&self, path: &Path) -> Option<usize> {
        let file = self.sources.known(path)?.id;
        let fresh =
            |is_one: &dyn Fn(&Slot) -> bool| self.slots.iter().position(|slot| slot.fresh && is_one(slot));
        fresh(&|slot| slot.unit.main == path).or_else(|| fresh(&|slot| slot.reads(file)))
    }

    /// The facts that walking the roots of the preamble gave for the unit with this main file.
    #[cfg(test)]
    pub(in crate::analysis::session) fn walked(&self, main: &Path) -> Option<Arc<crate::facts::HeaderWalks>> {
        let slot = self.slots.iter().find(|slot| slot.unit.main == main)?;
        slot.analysed.as_ref()?.walked.first().cloned()
    }

    /// Brings every unit up to date whose files were edited quietly, and says whether nothing else was due.
    #[cfg(test)]
    pub(in crate::analysis::session) fn follow_all(&mut self) -> bool {
        let due = self.due();
        let awaited = due.iter().flat_map(|index| self.slots[*index].awaited());
        awaited.for_each(|one| one.wait(&crate::cancel::CancelFlag::default()));
        self.follow(&due) && self.settled()
    }
}
