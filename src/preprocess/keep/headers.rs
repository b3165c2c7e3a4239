//! The header memo: readings of headers, reused wherever the macros and files that they depend on are the same.
//!
//! A reading depends on the header's text, on the definitions of the macro names that it looks up, on the files under
//! `#pragma once` that it includes again, and on the include search path. A reading that depends on nothing else is
//! recorded with these. Macros are numbered for the whole run, so that definitions are compared by number.
//!
//! Every identifier of a header's text counts as looked up: in another unit it may be a macro.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::expand::definition::MacroId;
use crate::preprocess::expand::table::MacroTable;
use crate::preprocess::result::inclusion::Inclusion;
use crate::preprocess::result::store::NO_PANIC;
use crate::source::{FileId, SourceFile, Sources, Symbol};
use crate::target::PassSet;

/// How many readings of a header are recorded; the oldest makes room for another.
const VARIANTS: usize = 24;

/// Records of readings, by key; shared between threads.
#[derive(Debug, Default)]
pub(crate) struct HeaderMemo {
    by_key: RwLock<FxHashMap<HeaderKey, Vec<Arc<HeaderRecord>>>>,
    /// Files that a walk may still be reading although they were superseded.
    superseded: RwLock<FxHashSet<FileId>>,
    /// How often a reading was taken from here.
    taken: AtomicUsize,
    /// How often one was added.
    added: AtomicUsize,
}

/// Everything but macros and files read once that a reading of a header depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct HeaderKey {
    pub(crate) file: FileId,
    pub(crate) next_directory: usize,
    pub(crate) system: bool,
    /// The number of the unit's include search path.
    pub(crate) search: usize,
    pub(crate) passes: PassSet,
    /// CUDA's keywords stay keywords.
    pub(crate) keywords: bool,
    /// Text is left out; the fingerprint of the macros that could make it matter.
    pub(crate) survey: Option<u64>,
}

/// The fingerprints of all macros and of all files under `#pragma once`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WalkState {
    pub(crate) macros: u64,
    pub(crate) once: u64,
}

/// A reading and everything that it depends on.
#[derive(Debug)]
pub(crate) struct HeaderRecord {
    pub(crate) inclusion: Arc<Inclusion>,
    /// All macros and all files under `#pragma once` when it began.
    pub(super) state: WalkState,
    /// The macros that it looked up, by fingerprint.
    pub(super) present: Box<[(Symbol, u64)]>,
    /// The names that it looked up that were no macros.
    pub(super) absent: Box<[Symbol]>,
    /// The files that it included, and the passes that had read them under `#pragma once`.
    pub(super) included: Box<[(Arc<SourceFile>, PassSet)]>,
    /// Names with other definitions after it than before, or that it defines whatever they were, each with the
    /// end of its part of `cases`.
    pub(super) changed: Box<[(Symbol, u32)]>,
    /// Their definitions.
    pub(super) cases: Box<[(PassSet, MacroId)]>,
    /// The files that it puts under `#pragma once`, and for which passes.
    pub(crate) once: Box<[(Arc<SourceFile>, PassSet)]>,
    /// The work that it took ([`WORK_LIMIT`](crate::preprocess::read::cursor::WORK_LIMIT)).
    pub(crate) work: usize,
}

impl HeaderMemo {
    /// Drops the records that do not stay.
    pub(crate) fn retain(&mut self, mut stays: impl FnMut(&HeaderRecord) -> bool) {
        self.by_key.get_mut().expect(NO_PANIC).retain(|_, variants| {
            variants.retain(|record| stays(record));
            !variants.is_empty()
        });
    }

    /// Visits each record.
    pub(crate) fn each(&self, see: impl FnMut(&HeaderRecord)) {
        self.by_key.read().expect(NO_PANIC).values().flatten().map(|record| &**record).for_each(see);
    }

    /// The addresses of the readings of a file.
    #[cfg(test)]
    pub(crate) fn readings(&self, file: FileId) -> Vec<usize> {
        let by_key = self.by_key.read().expect(NO_PANIC);
        let of_file = by_key.iter().filter(|(key, _)| key.file == file).flat_map(|(_, variants)| variants);
        of_file.map(|record| Arc::as_ptr(&record.inclusion).addr()).collect()
    }

    /// Visits each record, to be changed; no walk uses one.
    pub(crate) fn each_mut(&mut self, see: impl FnMut(&mut HeaderRecord)) {
        self.by_key.get_mut().expect(NO_PANIC).values_mut().flatten().filter_map(Arc::get_mut).for_each(see);
    }

    /// Drops the readings of these files, and adds none of them until [`HeaderMemo::forget_superseded`].
    pub(crate) fn supersede(&self, files: &[FileId]) {
        let mut readers = Readers::of(|file| files.contains(&file));
        let mut by_key = self.by_key.write().expect(NO_PANIC);
        self.superseded.write().expect(NO_PANIC).extend(files);
        by_key.retain(|_, variants| {
            variants.retain(|record| !readers.has(&record.inclusion));
            !variants.is_empty()
        });
    }

    /// No walk goes on that began before files were superseded.
    pub(crate) fn forget_superseded(&self) {
        self.superseded.write().expect(NO_PANIC).clear();
    }

    /// Drops all records.
    pub(crate) fn clear(&self) {
        self.by_key.write().expect(NO_PANIC).clear();
    }

    /// The newest recorded reading under a key that fits.
    pub(crate) fn take(
        &self,
        key: &HeaderKey,
        mut fits: impl FnMut(&HeaderRecord) -> bool,
    ) -> Option<Arc<HeaderRecord>> {
        let variants = self.by_key.read().expect(NO_PANIC).get(key).cloned().unwrap_or_default();
        let found = variants.into_iter().rev().find(|record| fits(record))?;
        self.taken.fetch_add(1, Ordering::Relaxed);
        Some(found)
    }

    /// How often a reading was taken from here, and how often one was added.
    pub(crate) fn reuse(&self) -> (usize, usize) {
        (self.taken.load(Ordering::Relaxed), self.added.load(Ordering::Relaxed))
    }

    /// Adds a record, unless it reads a superseded file.
    pub(crate) fn add(&self, key: HeaderKey, record: HeaderRecord) {
        let mut by_key = self.by_key.write().expect(NO_PANIC);
        let superseded = self.superseded.read().expect(NO_PANIC);
        if !superseded.is_empty() && Readers::of(|file| superseded.contains(&file)).has(&record.inclusion) {
            return;
        }
        self.added.fetch_add(1, Ordering::Relaxed);
        let variants = by_key.entry(key).or_default();
        if variants.len() >= VARIANTS {
            variants.remove(0);
        }
        variants.push(Arc::new(record));
    }
}

/// The readings that read one of some files, in them or inside them. Most readings are inside many others.
struct Readers<F> {
    wanted: F,
    /// Readings already judged, by address. A new one may come to stand there, but nobody asks about that.
    judged: FxHashMap<*const Inclusion, bool>,
}

impl<F: Fn(FileId) -> bool> Readers<F> {
    fn of(wanted: F) -> Readers<F> {
        Readers { wanted, judged: FxHashMap::default() }
    }

    fn has(&mut self, one: &Inclusion) -> bool {
        if let Some(known) = self.judged.get(&std::ptr::from_ref(one)) {
            return *known;
        }
        let has = one.reads_itself(&self.wanted) || one.children().any(|child| self.has(&child.inclusion));
        self.judged.insert(one, has);
        has
    }
}

impl HeaderRecord {
    /// Whether everything that it depends on is the same. `read_once` are the passes that have read a file under
    /// `#pragma once`.
    pub(crate) fn fits(
        &self,
        state: WalkState,
        table: &MacroTable,
        mut read_once: impl FnMut(&SourceFile) -> PassSet,
    ) -> bool {
        if self.state == state {
            return true;
        }
        let same = |(name, found): &(Symbol, u64)| table.fingerprint_of(*name) == *found;
        self.present.iter().all(same)
            && self.absent.iter().all(|name| table.get(*name).is_none())
            && self.included.iter().all(|(file, found)| read_once(file) == *found)
    }

    /// The names that it looked up.
    pub(crate) fn lookups(&self) -> impl Iterator<Item = Symbol> {
        self.present.iter().map(|(name, _)| *name).chain(self.absent.iter().copied())
    }

    /// The files that it included, and the passes that had read them under `#pragma once`.
    pub(crate) fn included(&self) -> &[(Arc<SourceFile>, PassSet)] {
        &self.included
    }

    /// The macros that it defines.
    pub(crate) fn defines(&self) -> impl Iterator<Item = MacroId> {
        self.cases.iter().map(|(_, id)| *id)
    }

    /// Replaces superseded texts of the files that it included: it depends on the files, not on their texts.
    pub(crate) fn update_included(&mut self, files: &FxHashSet<FileId>, sources: &Sources) {
        for (file, _) in self.included.iter_mut().filter(|(file, _)| !files.contains(&file.id)) {
            *file = sources.known(&file.path).unwrap_or_else(|| sources.file(file.id));
        }
    }

    /// The names that it changes, with their definitions after it.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (Symbol, &[(PassSet, MacroId)])> {
        let mut from = 0;
        self.changed.iter().map(move |(name, to)| {
            let cases = &self.cases[from..*to as usize];
            from = *to as usize;
            (*name, cases)
        })
    }
}
