//! The dependencies of the readings that are open: noted while they are read, for the header memo.
//!
//! In: includes, `#pragma once`, pushed macros as they happen; the macro table tracks lookups itself. Out: a
//! [`HeaderRecord`] for a reading that depends on nothing else.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::preprocess::expand::definition::MacroId;
use crate::preprocess::expand::table::{MacroTable, Tracking};
use crate::preprocess::result::inclusion::Inclusion;
use crate::source::{FileId, SourceFile, Symbol};
use crate::target::PassSet;

use super::headers::{HeaderKey, HeaderRecord, WalkState};

/// The dependencies of the open readings, as far as the macro table does not track them.
#[derive(Default)]
pub(crate) struct Dependencies {
    /// The open readings; those that may be recorded with what was noted of them.
    open: Vec<Option<Noted>>,
    included: Vec<IncludedFile>,
    /// The last tracked reading that included a file.
    included_by: FxHashMap<FileId, u32>,
    /// The files put under `#pragma once`, and for which passes.
    once: Vec<(Arc<SourceFile>, PassSet)>,
    /// Macros pushed and not popped, each with the tracked reading that pushed it.
    pushes: Vec<(Symbol, u32)>,
    buffers: RecordBuffers,
}

/// The notes about an open reading that may be recorded.
#[derive(Debug)]
struct Noted {
    key: HeaderKey,
    state: WalkState,
    tracking: Tracking,
    number: u32,
    /// How many macros were pushed, files included, files put under `#pragma once`, and the work done before it.
    pushes: usize,
    included: usize,
    once: usize,
    work: usize,
    /// It depends on more than is noted.
    uncacheable: bool,
}

/// Lists in which a record's own grow; empty between records.
#[derive(Default)]
struct RecordBuffers {
    present: Vec<(Symbol, u64)>,
    absent: Vec<Symbol>,
    changed: Vec<(Symbol, u32)>,
    cases: Vec<(PassSet, MacroId)>,
}

/// A file that an open reading included.
#[derive(Debug)]
struct IncludedFile {
    file: Arc<SourceFile>,
    /// The last tracked reading that included it before.
    before: u32,
    /// The passes that had read it under `#pragma once`.
    found: PassSet,
}

impl Dependencies {
    /// Opens a reading, which may be recorded if it has a key. `work` was done before.
    pub(crate) fn open(
        &mut self,
        key: Option<HeaderKey>,
        state: WalkState,
        table: &mut MacroTable,
        work: usize,
    ) {
        let noted = key.map(|key| {
            let tracking = table.begin();
            Noted {
                key,
                state,
                number: table.reading(),
                tracking,
                pushes: self.pushes.len(),
                included: self.included.len(),
                once: self.once.len(),
                work,
                uncacheable: false,
            }
        });
        self.open.push(noted);
    }

    /// Closes the innermost reading; its record, if all that it depends on was noted.
    pub(crate) fn close(
        &mut self,
        inclusion: &Arc<Inclusion>,
        table: &mut MacroTable,
        work: usize,
    ) -> Option<(HeaderKey, HeaderRecord)> {
        let noted = self.open.pop().flatten()?;
        // Macros that it pushed and did not pop are not part of a record.
        let complete = !noted.uncacheable && self.pushes.len() == noted.pushes;
        let record = complete.then(|| (noted.key, self.record(&noted, inclusion, table, work)));
        table.end(noted.tracking);
        if !table.is_tracking() {
            self.included.clear();
            self.once.clear();
        }
        record
    }

    fn record(
        &mut self,
        noted: &Noted,
        inclusion: &Arc<Inclusion>,
        table: &MacroTable,
        work: usize,
    ) -> HeaderRecord {
        let RecordBuffers { present, absent, changed, cases } = &mut self.buffers;
        for lookup in table.lookups(&noted.tracking) {
            match lookup.found {
                _ if lookup.overwrites => {}
                0 => absent.push(lookup.name),
                found => present.push((lookup.name, found)),
            }
            if lookup.overwrites || table.fingerprint_of(lookup.name) != lookup.found {
                cases.extend_from_slice(table.get(lookup.name).map_or(&[][..], |cases| cases.cases()));
                changed.push((lookup.name, cases.len() as u32));
            }
        }
        let included = self.included[noted.included..].iter().filter(|one| one.before < noted.number);
        HeaderRecord {
            inclusion: inclusion.clone(),
            state: noted.state,
            present: present.drain(..).collect(),
            absent: absent.drain(..).collect(),
            included: included.map(|one| (one.file.clone(), one.found)).collect(),
            changed: changed.drain(..).collect(),
            cases: cases.drain(..).collect(),
            once: self.once[noted.once..].into(),
            work: work - noted.work,
        }
    }

    /// Notes that the open readings depend on something that is not tracked: none of them is recorded.
    pub(crate) fn mark_uncacheable(&mut self) {
        self.mark_uncacheable_after(0);
    }

    /// Notes it for readings that began after the tracked reading of this number.
    fn mark_uncacheable_after(&mut self, after: u32) {
        for noted in self.open.iter_mut().flatten() {
            noted.uncacheable |= noted.number > after;
        }
    }

    /// Notes a `#pragma push_macro`.
    pub(crate) fn note_push(&mut self, name: Symbol, table: &MacroTable, scope: Scope) {
        self.pushes.push((name, table.reading()));
        if scope == Scope::SomePasses {
            self.mark_uncacheable();
        }
    }

    /// Notes a `#pragma pop_macro`: a reading that did not see the push, or where there is none, can't be recorded.
    pub(crate) fn note_pop(&mut self, name: Symbol, scope: Scope) {
        let Some(index) = self.pushes.iter().rposition(|(pushed, _)| *pushed == name) else {
            return self.mark_uncacheable();
        };
        self.mark_uncacheable_after(self.pushes[index].1);
        match scope {
            Scope::AllPasses => {
                self.pushes.remove(index);
            }
            Scope::SomePasses => self.mark_uncacheable(),
        }
    }

    /// Notes that `file` was included, and which passes had read it under `#pragma once`.
    pub(crate) fn note_included(&mut self, file: &Arc<SourceFile>, found: PassSet, table: &MacroTable) {
        if !table.is_tracking() {
            return;
        }
        let reading = table.reading();
        let last = self.included_by.entry(file.id).or_insert(0);
        if *last < reading {
            let before = std::mem::replace(last, reading);
            self.included.push(IncludedFile { file: file.clone(), before, found });
        }
    }

    /// Notes that `file` was put under `#pragma once` for the passes of `set`.
    pub(crate) fn note_once(&mut self, file: &Arc<SourceFile>, set: PassSet, table: &MacroTable) {
        if table.is_tracking() {
            self.once.push((file.clone(), set));
        }
    }
}

/// Which passes execute a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    AllPasses,
    SomePasses,
}
