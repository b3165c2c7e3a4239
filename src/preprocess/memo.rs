//! Headers that were read before, under macros that mean the same to them.
//!
//! What reading a header does depends on its text, on what the macros mean that it looks at, on the files
//! under `#pragma once` that it asks for again, and on where headers are found. A reading that depends on
//! nothing else is kept with these, and stands wherever they are the same again. Whether a macro is the
//! same is a question of its number, since macros are numbered for the whole run.
//!
//! Every identifier of a header's text counts as looked at: in another unit it may be a macro.

use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{FileId, SourceFile, Sources, Symbol};
use crate::target::PassSet;

use super::common::NO_PANIC;
use super::inclusion::{Child, Inclusion, Read};
use super::macros::{Looking, MacroId, mixed};
use super::survey::Survey;
use super::walk::Walker;

/// How many ways to read a header are kept; the oldest is dropped for another.
const VARIANTS: usize = 24;

/// Headers that were read, by what has to be the same whatever macros there are.
#[derive(Debug, Default)]
pub(super) struct Records {
    by_key: RwLock<FxHashMap<Key, Vec<Arc<Record>>>>,
}

/// What a header is read as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) file: FileId,
    pub(super) next_directory: usize,
    pub(super) system: bool,
    /// The unit's way to find headers.
    search: usize,
    passes: PassSet,
    /// CUDA's words stay words.
    words: bool,
    /// Text is left out; a fingerprint of the macros that could make it matter.
    survey: Option<u64>,
}

/// A reading and what it depends on.
#[derive(Debug)]
pub(super) struct Record {
    inclusion: Arc<Inclusion>,
    /// All macros and all files under `#pragma once` as they were when it began.
    state: (u64, u64),
    /// Macros it looked at, by fingerprint.
    present: Box<[(Symbol, u64)]>,
    /// Names it looked at that were no macros.
    absent: Box<[Symbol]>,
    /// Files it asked for, and the passes that had read them and wanted them once.
    asked: Box<[(Arc<SourceFile>, PassSet)]>,
    /// Names that mean something else after it than before, or that it defines whatever they were, each with the
    /// end of its part of `cases`.
    changed: Box<[(Symbol, u32)]>,
    /// What those mean.
    cases: Box<[(PassSet, MacroId)]>,
    /// The files that it wants once, and for which passes.
    once: Box<[(Arc<SourceFile>, PassSet)]>,
    /// How many tokens it pulled.
    pulled: usize,
}

impl Records {
    /// Drops those that this is not said of.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(&Record) -> bool) {
        self.by_key.get_mut().expect(NO_PANIC).retain(|_, variants| {
            variants.retain(|record| stays(record));
            !variants.is_empty()
        });
    }

    /// Shows each.
    pub(super) fn each(&self, see: impl FnMut(&Record)) {
        self.by_key.read().expect(NO_PANIC).values().flatten().map(|record| &**record).for_each(see);
    }

    /// The addresses of the readings of a file.
    #[cfg(test)]
    pub(super) fn readings(&self, file: FileId) -> Vec<usize> {
        let by_key = self.by_key.read().expect(NO_PANIC);
        let of_file = by_key.iter().filter(|(key, _)| key.file == file).flat_map(|(_, variants)| variants);
        of_file.map(|record| Arc::as_ptr(&record.inclusion).addr()).collect()
    }

    /// Shows each, to be changed; no walk reads one.
    pub(super) fn each_mut(&mut self, see: impl FnMut(&mut Record)) {
        self.by_key.get_mut().expect(NO_PANIC).values_mut().flatten().filter_map(Arc::get_mut).for_each(see);
    }

    /// Drops what read one of these files.
    pub(super) fn supersede(&self, files: &[FileId]) {
        let gone = |file: FileId| files.contains(&file);
        self.by_key.write().expect(NO_PANIC).retain(|_, variants| {
            variants.retain(|record| !record.inclusion.reads_any(&gone));
            !variants.is_empty()
        });
    }

    /// Drops all.
    pub(super) fn clear(&self) {
        self.by_key.write().expect(NO_PANIC).clear();
    }

    fn variants(&self, key: &Key) -> Vec<Arc<Record>> {
        self.by_key.read().expect(NO_PANIC).get(key).cloned().unwrap_or_default()
    }

    fn add(&self, key: Key, record: Record) {
        let mut by_key = self.by_key.write().expect(NO_PANIC);
        let variants = by_key.entry(key).or_default();
        if variants.len() >= VARIANTS {
            variants.remove(0);
        }
        variants.push(Arc::new(record));
    }
}

impl Record {
    pub(super) fn inclusion(&self) -> &Inclusion {
        &self.inclusion
    }

    /// The macros that it gives names.
    pub(super) fn leaves(&self) -> impl Iterator<Item = MacroId> {
        self.cases.iter().map(|(_, id)| *id)
    }

    /// Lets texts go that are not those of these files: it asked for files whatever their texts were.
    pub(super) fn let_go(&mut self, files: &FxHashSet<FileId>, sources: &Sources) {
        for (file, _) in self.asked.iter_mut().filter(|(file, _)| !files.contains(&file.id)) {
            *file = sources.known(&file.path).unwrap_or_else(|| sources.file(file.id));
        }
    }

    /// What names mean after it that meant something else before.
    fn changes(&self) -> impl Iterator<Item = (Symbol, &[(PassSet, MacroId)])> {
        let mut from = 0;
        self.changed.iter().map(move |(name, to)| {
            let cases = &self.cases[from..*to as usize];
            from = *to as usize;
            (*name, cases)
        })
    }
}

/// A reading of its own that is under way.
#[derive(Debug)]
pub(super) struct Reading {
    /// What the reading around it has so far, and how many files are around that.
    around: Inclusion,
    around_level: usize,
    /// How it is kept, if it may be.
    noted: Option<Noted>,
}

/// What is noted of a reading that may be kept.
#[derive(Debug)]
struct Noted {
    key: Key,
    state: (u64, u64),
    looking: Looking,
    number: u32,
    /// How many macros were pushed, files asked for, files wanted once, and tokens pulled before it.
    pushes: usize,
    asked: usize,
    once: usize,
    pulled: usize,
    /// It depends on more than is noted.
    tied: bool,
}

/// Lists in which a [`Record`]'s own grow; empty between records.
#[derive(Default)]
pub(super) struct Kept {
    present: Vec<(Symbol, u64)>,
    absent: Vec<Symbol>,
    changed: Vec<(Symbol, u32)>,
    cases: Vec<(PassSet, MacroId)>,
}

/// A file that was asked for, for [`Record::asked`].
#[derive(Debug)]
pub(super) struct Asked {
    file: Arc<SourceFile>,
    /// The last noted reading that asked for it before.
    before: u32,
    found: PassSet,
}

impl Walker<'_> {
    /// A file read for `set` is a reading of its own: nothing outside it decides what its tokens are in,
    /// and no invocation reaches into it.
    pub(super) fn stands_alone(&self, set: PassSet) -> bool {
        let text = self.frames.last().is_none_or(|frame| !frame.macros_only);
        text && set == self.passes && self.ahead.is_empty()
    }

    /// What a file that stands alone is kept as, if it may be.
    pub(super) fn key(&self, file: FileId, next_directory: usize, system: bool) -> Option<Key> {
        self.common.records.as_ref()?;
        let (search, words) = (self.search, self.has_words());
        let survey = self.survey.as_ref().map(Survey::state);
        let key = Key { file, next_directory, system, search, passes: self.passes, words, survey };
        (self.renumberings == 0).then_some(key)
    }

    /// Puts a reading that was kept in the place of a file's that is asked for; says whether there is one.
    pub(super) fn replay(&mut self, key: &Key, deeper: usize) -> bool {
        let Some(records) = &self.common.records else { return false };
        let variants = records.variants(key);
        let Some(record) = variants.into_iter().rev().find(|record| self.fits(record)) else { return false };
        if self.table.notes() {
            for (name, _) in &record.present {
                self.table.look(*name);
            }
            for name in &record.absent {
                self.table.look(*name);
            }
            for (file, found) in &record.asked {
                self.note_asked(file, *found);
            }
        }
        for (name, cases) in record.changes() {
            self.table.replace(name, cases);
            cases.iter().for_each(|(_, id)| self.note_defined(name, *id));
        }
        for (file, passes) in &record.once {
            self.want_once(file, *passes);
        }
        let after = self.out.mark();
        let inclusion = record.inclusion.clone();
        self.out.reads.push(Read::Apart(Child { after, deeper, inclusion }));
        self.pulled += record.pulled;
        true
    }

    /// Everything the reading depends on is as it was.
    fn fits(&mut self, record: &Record) -> bool {
        if record.state == self.state() {
            return true;
        }
        let same = |(name, found): &(Symbol, u64)| self.table.fingerprint(*name) == *found;
        record.present.iter().all(same)
            && record.absent.iter().all(|name| self.table.get(*name).is_none())
            && record.asked.iter().all(|(file, found)| self.read_once(file) == *found)
    }

    /// Fingerprints of all macros and of all files that are wanted once.
    fn state(&self) -> (u64, u64) {
        (self.table.state(), self.once_state)
    }

    /// A reading of its own begins, of a file that `level` others are around.
    pub(super) fn begin_reading(&mut self, key: Option<Key>, level: usize) -> Box<Reading> {
        let state = self.state();
        let noted = key.map(|key| {
            let looking = self.table.begin();
            Noted {
                key,
                state,
                number: self.table.reading(),
                looking,
                pushes: self.pushes.len(),
                asked: self.asked.len(),
                once: self.wanted.len(),
                pulled: self.pulled,
                tied: false,
            }
        });
        let around_level = std::mem::replace(&mut self.level, level);
        let empty = self.spare_readings.pop().unwrap_or_default();
        Box::new(Reading { around: std::mem::replace(&mut self.out, empty), around_level, noted })
    }

    /// A reading of its own ends. It is kept if it may be.
    pub(super) fn end_reading(&mut self, reading: Reading) {
        let mut own = std::mem::replace(&mut self.out, reading.around);
        let level = std::mem::replace(&mut self.level, reading.around_level);
        let inclusion = Arc::new(own.fitting());
        self.spare_readings.push(own);
        if let Some(noted) = reading.noted {
            self.keep(noted, &inclusion);
        }
        self.out.reads.push(Read::Apart(Child {
            after: self.out.mark(),
            deeper: level - self.level,
            inclusion,
        }));
    }

    fn keep(&mut self, noted: Noted, inclusion: &Arc<Inclusion>) {
        // What it pushed and did not pop is not noted.
        if !noted.tied
            && self.pushes.len() == noted.pushes
            && let Some(records) = &self.common.records
        {
            let Kept { mut present, mut absent, mut changed, mut cases } = std::mem::take(&mut self.kept);
            for look in self.table.looks(&noted.looking) {
                match look.found {
                    _ if look.overwrites => {}
                    0 => absent.push(look.name),
                    found => present.push((look.name, found)),
                }
                if look.overwrites || self.table.fingerprint(look.name) != look.found {
                    cases.extend_from_slice(self.table.get(look.name).map_or(&[][..], |cases| cases.cases()));
                    changed.push((look.name, cases.len() as u32));
                }
            }
            let first = |asked: &&Asked| asked.before < noted.number;
            let asked = self.asked[noted.asked..].iter().filter(first);
            let record = Record {
                inclusion: inclusion.clone(),
                state: noted.state,
                present: present.drain(..).collect(),
                absent: absent.drain(..).collect(),
                asked: asked.map(|asked| (asked.file.clone(), asked.found)).collect(),
                changed: changed.drain(..).collect(),
                cases: cases.drain(..).collect(),
                once: self.wanted[noted.once..].into(),
                pulled: self.pulled - noted.pulled,
            };
            records.add(noted.key, record);
            self.kept = Kept { present, absent, changed, cases };
        }
        self.table.end(noted.looking);
        if !self.table.notes() {
            self.asked.clear();
            self.wanted.clear();
        }
    }

    /// What is being read depends on more than is noted, for readings that began after number `after`.
    fn tie_after(&mut self, after: u32) {
        let readings = self.frames.iter_mut().filter_map(|frame| frame.reading.as_mut());
        for noted in readings.filter_map(|reading| reading.noted.as_mut()) {
            noted.tied |= noted.number > after;
        }
    }

    /// What is being read depends on more than is noted: no reading that is open is kept.
    pub(super) fn tie(&mut self) {
        self.tie_after(0);
    }

    /// Notes a `#pragma push_macro`.
    pub(super) fn note_push(&mut self, name: Symbol, set: PassSet) {
        self.pushes.push((name, self.table.reading()));
        if set != self.passes {
            self.tie();
        }
    }

    /// Notes a `#pragma pop_macro`: who did not see the push, or that there is none, must not be kept.
    pub(super) fn note_pop(&mut self, name: Symbol, set: PassSet) {
        let Some(index) = self.pushes.iter().rposition(|(pushed, _)| *pushed == name) else {
            return self.tie();
        };
        self.tie_after(self.pushes[index].1);
        if set == self.passes {
            self.pushes.remove(index);
        } else {
            self.tie();
        }
    }

    /// Notes that `file` was asked for, and which passes had read it and wanted it once.
    pub(super) fn note_asked(&mut self, file: &Arc<SourceFile>, found: PassSet) {
        if !self.table.notes() {
            return;
        }
        let reading = self.table.reading();
        let last = self.asked_by.entry(file.id).or_insert(0);
        if *last < reading {
            let before = std::mem::replace(last, reading);
            self.asked.push(Asked { file: file.clone(), before, found });
        }
    }

    /// Notes that the passes of `set` want `file` once.
    pub(super) fn note_wanted(&mut self, file: &Arc<SourceFile>, set: PassSet) {
        self.once_state ^= mixed((file.id, set));
        if self.table.notes() {
            self.wanted.push((file.clone(), set));
        }
    }
}
