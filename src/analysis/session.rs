//! Units kept analysed while texts change.
//!
//! In: the units, and texts that replace others. Out: the [`Analysis`] of all of them. After a change
//! only the units that read the changed file are analysed again, a few at a time, so that the owner can
//! hand in newer texts between the steps and nothing stale is worked on for long.

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::finding::Region;
use crate::preprocess::survey;
use crate::project::{TranslationUnit, UnitKind};
use crate::source::{FileId, Sources};
use crate::stale::{Stale, go_on, unless_stale, watched};
use crate::target::Passes;

use super::{Analysis, Kept, Look, Outcome, Wanted, combine, isolated, resolved};

/// How many earlier outcomes of a unit are kept: what is typed is often taken back, or completes what was there.
const EARLIER: usize = 2;

/// How many texts are superseded before what was kept for them is dropped.
const RELEASE_AFTER: usize = 16;

/// Units, what analysing them gave, and what of that is out of date.
#[derive(Debug, Default)]
pub struct Session {
    /// The texts.
    pub sources: Sources,
    kept: Kept,
    slots: Vec<Slot>,
    /// Files by id, their paths resolved.
    resolved: FxHashMap<FileId, PathBuf>,
    superseded: usize,
    /// The unit that was looked at last, while no text changed.
    look: Option<Arc<Look>>,
}

/// A unit and its last outcome.
#[derive(Debug)]
struct Slot {
    unit: TranslationUnit,
    /// Its main file's path, resolved.
    main: PathBuf,
    /// `None` before its first analysis.
    outcome: Option<Outcome>,
    /// Those before, of other texts of the files that are edited and the same of all others; the last one first.
    earlier: Vec<Outcome>,
    /// The files it reads, if that had to be known before its first analysis.
    surveyed: Option<Vec<FileId>>,
    /// The outcome is that of the current texts.
    fresh: bool,
}

impl Slot {
    /// Somebody who looks at these files waits for it: its main file or one it reads is open, or it was edited.
    fn urgent(&self, open: &FxHashSet<PathBuf>, ids: &[FileId]) -> bool {
        self.outcome.is_some() || open.contains(&self.unit.main) || ids.iter().any(|file| self.reads(*file))
    }

    /// It is known to read the file.
    fn reads(&self, file: FileId) -> bool {
        let known = self.outcome.as_ref().map(|outcome| &outcome.files).or(self.surveyed.as_ref());
        known.is_some_and(|files| files.contains(&file))
    }
}

impl Session {
    /// No units yet.
    pub fn new() -> Session {
        Session::default()
    }

    /// Makes these the units. Those it has already stay up to date; one compiled in another way than
    /// before is out of date.
    pub fn set_units(&mut self, units: Vec<TranslationUnit>) {
        self.look = None;
        let mut old = std::mem::take(&mut self.slots);
        let mut others = true;
        for unit in units {
            let same = old.iter().position(|slot| slot.unit == unit);
            let mut slot = match same.or_else(|| old.iter().position(|slot| slot.unit.main == unit.main)) {
                Some(index) => old.swap_remove(index),
                None => {
                    let (main, unit) = (resolved(&unit.main), unit.clone());
                    Slot { main, unit, outcome: None, earlier: Vec::new(), surveyed: None, fresh: false }
                }
            };
            if same.is_none()
                && let Some(outcome) = &mut slot.outcome
            {
                outcome.standing.get().clear();
                outcome.walked.clear();
                slot.earlier.clear();
            }
            slot.fresh &= same.is_some();
            slot.unit = unit;
            others &= same.is_none();
            self.slots.push(slot);
        }
        if others {
            // What headers were read as for the units before fits none of these.
            self.kept.forget_headers();
        }
    }

    /// Makes `text` what `path` holds, or with `None` what is on disk, and puts the units that read it,
    /// or that missed a header of its name, out of date.
    pub fn replace(&mut self, path: &Path, text: Option<String>) {
        self.look = None;
        let unknown = self.sources.known(path).is_none();
        let added = text.is_some() && unknown;
        let superseded = match text {
            Some(text) => self.sources.overlay(path, text),
            None => self.sources.forget(path),
        };
        self.superseded += superseded.len();
        self.kept.memo.supersede(&superseded);
        // What headers were kept that read the old text, or might read a file that was not there.
        match unknown {
            true => self.kept.common.clear(),
            false => self.kept.common.supersede(&superseded),
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let missed = |outcome: &Outcome| {
            outcome.missing.iter().any(|header| {
                Path::new(header.trim_matches(['"', '<', '>'])).file_name().is_some_and(|last| *last == *name)
            })
        };
        for slot in &mut self.slots {
            let Some(outcome) = &mut slot.outcome else { continue };
            let read = outcome.files.iter().any(|file| superseded.contains(file));
            let found = added && missed(outcome);
            slot.fresh &= !(read || found);
            if found || read && !outcome.may_follow(&superseded) {
                outcome.standing.get().clear();
                slot.earlier.clear();
            }
            let reads = |one: &Outcome| one.files.iter().any(|file| superseded.contains(file));
            slot.earlier.retain_mut(|one| !reads(one) || one.may_follow(&superseded));
        }
    }

    /// Some unit that reads `path` is known; before every unit was analysed that may yet come.
    pub fn has(&self, path: &Path) -> bool {
        let file = self.sources.known(path);
        self.slots
            .iter()
            .any(|slot| slot.unit.main == path || file.as_ref().is_some_and(|file| slot.reads(file.id)))
    }

    /// The units that read one of these files.
    pub fn units_reading(&self, paths: &[PathBuf]) -> Vec<TranslationUnit> {
        let files: Vec<FileId> =
            paths.iter().filter_map(|path| self.sources.known(path)).map(|file| file.id).collect();
        let reads =
            |slot: &&Slot| files.iter().any(|file| slot.reads(*file)) || paths.contains(&slot.unit.main);
        self.slots.iter().filter(reads).map(|slot| slot.unit.clone()).collect()
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
    /// place; `None` if there is no such unit.
    pub fn regions(&self, path: &Path) -> Option<Vec<Region>> {
        let file = self.sources.known(path)?.id;
        let outcome = self.reader(path)?.outcome.as_ref()?;
        Some(outcome.regions.iter().filter(|region| region.at.file == file).cloned().collect())
    }

    /// The first unit that reads a file and is up to date, its own if it is one.
    fn reader(&self, path: &Path) -> Option<&Slot> {
        let file = self.sources.known(path)?.id;
        let fresh = || self.slots.iter().filter(|slot| slot.fresh);
        fresh().find(|slot| slot.unit.main == path).or_else(|| fresh().find(|slot| slot.reads(file)))
    }

    /// The unit that [`Session::regions`] speaks of, with what its stages gave; kept until a text changes.
    pub fn look(&mut self, path: &Path) -> Option<Arc<Look>> {
        let reader = self.reader(path)?;
        let known = reader.outcome.as_ref().and_then(|outcome| outcome.entities.clone());
        let unit = reader.unit.clone();
        if let Some(look) = self.look.as_ref().filter(|look| look.unit == unit) {
            return Some(Arc::clone(look));
        }
        let look = Arc::new(Look::new(unit, &self.sources, &self.kept, known));
        self.look = Some(Arc::clone(&look));
        Some(look)
    }

    /// Analyses some units that are out of date, as many as there are threads, those first that were
    /// edited or whose main file is open. Says whether there were any. When a newer text makes it stale, a unit that
    /// was analysed before is left as it is; the first time something is found out that later texts are measured by.
    pub fn step(&mut self, open: &FxHashSet<PathBuf>, stale: &Stale) -> bool {
        let mut due = self.due();
        let followed = self.follow(&due);
        due.retain(|index| !self.slots[*index].fresh);
        self.survey(open, &due);
        let ids = self.ids(open);
        due.sort_by_key(|index| !self.slots[*index].urgent(open, &ids));
        due.truncate(rayon::current_num_threads().max(1));
        let around = watched().unwrap_or_default();
        let Session { sources, kept, slots, .. } = &mut *self;
        let analysed = due.par_iter().map(|index| {
            let unit = &slots[*index].unit;
            let last = slots[*index].outcome.as_ref().map_or(&[][..], |outcome| &outcome.walked);
            let wanted = match open.contains(&unit.main) {
                true => Wanted::Standing(open, last),
                false => Wanted::Outcome,
            };
            // A thread that waits for a part of one unit may do another meanwhile.
            let stale = if slots[*index].outcome.is_some() { stale } else { &around };
            let outcome = unless_stale(stale, || isolated(unit, sources, kept, wanted));
            (*index, outcome)
        });
        let analysed: Vec<(usize, Option<Outcome>)> = analysed.collect();
        go_on();
        for (index, outcome) in analysed {
            let Some(outcome) = outcome else { continue };
            let slot = &mut self.slots[index];
            if let Some(last) = slot.outcome.replace(outcome) {
                slot.earlier.retain_mut(|one| !one.standing.get().is_empty());
                slot.earlier.truncate(EARLIER - 1);
                slot.earlier.insert(0, last);
            }
            slot.surveyed = None;
            slot.fresh = true;
        }
        followed || !due.is_empty()
    }

    /// What walking the headers of the unit with this main file gave.
    #[cfg(test)]
    pub(super) fn walked(&self, main: &Path) -> Option<Arc<crate::facts::HeaderWalks>> {
        let slot = self.slots.iter().find(|slot| slot.unit.main == main)?;
        slot.outcome.as_ref()?.walked.first().cloned()
    }

    /// Brings every unit up to date that an edit means nothing to, and says whether that was all that was due.
    #[cfg(test)]
    pub(super) fn follow_all(&mut self) -> bool {
        let due = self.due();
        self.follow(&due) && self.settled()
    }

    /// Brings those up to date whose main file was edited in a way that means nothing to them. Says whether there
    /// were any.
    fn follow(&mut self, due: &[usize]) -> bool {
        let Session { sources, slots, .. } = self;
        for index in due {
            let Slot { outcome, earlier, fresh, .. } = &mut slots[*index];
            let Some(outcome) = outcome else { continue };
            *fresh = outcome.follow(sources);
            if !*fresh && let Some(number) = earlier.iter_mut().position(|one| one.follow(sources)) {
                std::mem::swap(outcome, &mut earlier[number]);
                *fresh = true;
            }
        }
        due.iter().any(|index| slots[*index].fresh)
    }

    /// How many units are up to date, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.slots.iter().filter(|slot| slot.fresh).count(), self.slots.len())
    }

    /// Finds out which units that are due read an open file that none is known to read: its owner waits for
    /// them. Directives tell; their text costs the most and is left out.
    fn survey(&mut self, open: &FxHashSet<PathBuf>, due: &[usize]) {
        let waiting = |slot: &Slot| slot.outcome.is_none() && slot.surveyed.is_none();
        if open.iter().all(|path| self.has(path)) || !due.iter().any(|index| waiting(&self.slots[*index])) {
            return;
        }
        let Session { sources, kept, slots, .. } = self;
        slots.par_iter_mut().filter(|slot| waiting(slot)).for_each(|slot| {
            let told = catch_unwind(AssertUnwindSafe(|| survey(&slot.unit, sources, &kept.common).files));
            // A unit that can't be walked says so when it is analysed.
            slot.surveyed = Some(told.unwrap_or_default());
        });
    }

    /// The ids of the paths that are known.
    fn ids(&self, paths: &FxHashSet<PathBuf>) -> Vec<FileId> {
        paths.iter().filter_map(|path| self.sources.known(path)).map(|file| file.id).collect()
    }

    /// Every unit is up to date.
    pub fn settled(&mut self) -> bool {
        self.due().is_empty()
    }

    /// Every unit that was edited or whose main file is open is up to date.
    pub fn answers(&mut self, open: &FxHashSet<PathBuf>) -> bool {
        let ids = self.ids(open);
        !self.due().into_iter().any(|index| self.slots[index].urgent(open, &ids))
    }

    /// What the units that are up to date give.
    pub fn analysis(&mut self) -> Analysis {
        self.release();
        let alone = self.headers_alone();
        let shown = |(index, slot): &(usize, &Slot)| {
            slot.fresh && (slot.unit.kind == UnitKind::Source || alone.contains(index))
        };
        let slots = self.slots.iter().enumerate().filter(shown);
        let outcomes: Vec<&Outcome> = slots.filter_map(|(_, slot)| slot.outcome.as_ref()).collect();
        combine(&outcomes, &self.sources)
    }

    /// The units out of date: the sources, and only after them the headers that none includes.
    fn due(&mut self) -> Vec<usize> {
        let stale = |index: &usize| !self.slots[*index].fresh;
        let is_source = |index: &usize| self.slots[*index].unit.kind == UnitKind::Source;
        let sources: Vec<usize> = (0..self.slots.len()).filter(is_source).filter(stale).collect();
        if !sources.is_empty() {
            return sources;
        }
        let mut headers = self.headers_alone();
        headers.retain(|index| !self.slots[*index].fresh);
        headers
    }

    /// The headers that no source includes.
    fn headers_alone(&mut self) -> Vec<usize> {
        let mut files: FxHashSet<FileId> = FxHashSet::default();
        let mut headers = Vec::new();
        for (index, slot) in self.slots.iter().enumerate() {
            match (slot.unit.kind, &slot.outcome) {
                (UnitKind::Header, _) => headers.push(index),
                (UnitKind::Source, Some(outcome)) => files.extend(&outcome.files),
                (UnitKind::Source, None) => {}
            }
        }
        if headers.is_empty() {
            return headers;
        }
        for file in &files {
            self.resolved.entry(*file).or_insert_with(|| resolved(&self.sources.file(*file).path));
        }
        let included: FxHashSet<&Path> = files.iter().map(|file| self.resolved[file].as_path()).collect();
        headers.retain(|index| !included.contains(self.slots[*index].main.as_path()));
        headers
    }

    /// Drops what was kept for superseded texts, now and then.
    fn release(&mut self) {
        if self.superseded < RELEASE_AFTER {
            return;
        }
        self.superseded = 0;
        self.look = None;
        let outcomes = self.slots.iter().filter_map(|slot| slot.outcome.as_ref());
        let used =
            outcomes.flat_map(|outcome| outcome.files.iter().copied().chain(outcome.build_files())).collect();
        let kept = self.sources.release(&used);
        let outcomes = self.slots.iter_mut().filter_map(|slot| slot.outcome.as_mut());
        let standing = outcomes.flat_map(|outcome| outcome.standing.get());
        let analysed = standing.map(|standing| standing.analysed);
        self.kept.retain(&kept, analysed, &self.sources);
        self.resolved.retain(|file, _| kept.contains(file));
    }
}
