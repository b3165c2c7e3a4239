//! Files entered and left: the include stack, and readings that are taken from the header memo or added to it.
//!
//! A file that all passes read, at a place where no invocation reaches into it, is a reading of its own: nothing
//! outside it decides which passes have its tokens.

use std::sync::Arc;

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::keep::headers::{HeaderKey, HeaderRecord};
use crate::preprocess::result::inclusion::FileRead;
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::EventKind;
use crate::source::{FileId, SourceFile, Span};
use crate::target::PassSet;

use super::cursor::{Frame, WORK_OF_FILE};
use super::define::note_defined;
use super::effects::read_once;
use super::survey::Survey;
use super::walk::Walk;

/// A file that is about to be read.
pub(crate) struct Entry {
    pub(crate) file: Arc<SourceFile>,
    /// The passes that read it.
    pub(crate) set: PassSet,
    /// The number of the directory in which `#include_next` goes on.
    pub(crate) next_directory: usize,
    /// `__INCLUDE_LEVEL__`.
    pub(crate) level: usize,
    /// The directive that includes it.
    pub(crate) directive: Option<Span>,
    /// Whether it is a system header.
    pub(crate) system: bool,
    /// Its text is left out, its macros stay: `-imacros`.
    pub(crate) macros_only: bool,
}

/// Enters a file: its reading is taken from the header memo, or it is read next.
pub(crate) fn enter(walk: &mut Walk<'_>, entry: Entry) {
    unwind_if_cancelled();
    let Entry { ref file, set, next_directory, level, directive, system, .. } = entry;
    walk.cursor.work += WORK_OF_FILE;
    let deeper = level - walk.recorder.level;
    walk.recorder.record_event(set, EventKind::Enter { file: file.id, level: deeper, directive });
    let reads_apart = stands_alone(walk, set);
    if reads_apart {
        let key = if entry.macros_only { None } else { header_key(walk, file.id, next_directory, system) };
        if let Some(key) = &key
            && replay(walk, key, deeper)
        {
            return note_left(walk);
        }
        let state = walk.state();
        walk.reuse.dependencies.open(key, state, &mut walk.macros.table, walk.cursor.work);
        walk.recorder.begin_reading(level);
    }
    walk.recorder.out.reads.push(FileRead::Here { file: file.id, system });
    if walk.lines.restart(walk.files.sources, file.id, set) {
        walk.reuse.dependencies.mark_uncacheable();
    }
    push_frame(walk, entry);
    if reads_apart {
        walk.cursor.group = None;
        let frame = walk.cursor.frames.last_mut().expect("it was just pushed");
        frame.reads_apart = true;
    }
}

/// Enters the main file, whose reading is the unit's.
pub(crate) fn enter_main(walk: &mut Walk<'_>) {
    let (all, sources, path) = (walk.cursor.passes, walk.files.sources, &walk.unit.main);
    let file = sources.read(path).unwrap_or_else(|error| {
        let file = sources.add(path, String::new());
        let at = Span { file: file.id, start: 0, end: 0 };
        walk.recorder.problem(ProblemKind::MainFileUnreadable(error.to_string()), at, all);
        file
    });
    walk.recorder.record_event(all, EventKind::Enter { file: file.id, level: 0, directive: None });
    walk.recorder.out.reads.push(FileRead::Here { file: file.id, system: false });
    let (set, next_directory, level, directive, system, macros_only) = (all, 0, 0, None, false, false);
    let entry = Entry { file, set, next_directory, level, directive, system, macros_only };
    push_frame(walk, entry);
}

/// Leaves the innermost file.
pub(crate) fn leave(walk: &mut Walk<'_>) {
    let cursor = &mut walk.cursor;
    let Some(frame) = cursor.frames.pop() else { return };
    while cursor.conditionals.len() > frame.open {
        let open = cursor.conditionals.pop().expect("it is longer than it was");
        walk.recorder.problem(ProblemKind::UnterminatedConditional, open.directive, open.outer);
        walk.common.registry.close_conditional(open.id, open.record);
        walk.reuse.partial.clear();
    }
    cursor.group = frame.outside_group;
    cursor.live = frame.outside.minus(cursor.stopped);
    if frame.reads_apart {
        end_reading(walk);
    }
    note_left(walk);
}

/// Leaves all files, though they are not at their ends.
pub(crate) fn abandon(walk: &mut Walk<'_>) {
    walk.reuse.dependencies.mark_uncacheable();
    while let Some(frame) = walk.cursor.frames.last() {
        for open in walk.cursor.conditionals.drain(frame.open..) {
            walk.common.registry.close_conditional(open.id, open.record);
        }
        leave(walk);
    }
}

fn push_frame(walk: &mut Walk<'_>, entry: Entry) {
    let Entry { file, set, next_directory, level, macros_only, .. } = entry;
    let cursor = &mut walk.cursor;
    let (open, outside, outside_group) = (cursor.conditionals.len(), cursor.live, cursor.group);
    cursor.frames.push(Frame {
        file,
        section: 0,
        next: 0,
        open,
        outside,
        outside_group,
        next_directory,
        level,
        macros_only,
        reads_apart: false,
    });
    cursor.live = set;
    if let Some(at) = cursor.frames.last().and_then(|frame| frame.file.unterminated_comment()) {
        walk.recorder.problem(ProblemKind::UnterminatedComment, at, set);
    }
}

/// Records that a file has ended.
fn note_left(walk: &mut Walk<'_>) {
    walk.recorder.record_event(walk.unit.passes.all(), EventKind::Leave);
    walk.cursor.directive_seen = true;
    walk.cursor.lowest = walk.cursor.lowest.min(walk.cursor.frames.len());
}

// ---- the header memo ----

/// Whether a file read for `set` is a reading of its own.
fn stands_alone(walk: &Walk<'_>, set: PassSet) -> bool {
    let text = walk.cursor.frames.last().is_none_or(|frame| !frame.macros_only);
    text && set == walk.cursor.passes && walk.pending.is_empty()
}

/// The key of a file that stands alone, if its reading may be reused.
fn header_key(walk: &Walk<'_>, file: FileId, next_directory: usize, system: bool) -> Option<HeaderKey> {
    walk.common.headers.as_ref()?;
    let (search, passes, keywords) = (walk.files.search, walk.cursor.passes, walk.macros.has_keywords());
    let survey = walk.survey.as_ref().map(Survey::state);
    let key = HeaderKey { file, next_directory, system, search, passes, keywords, survey };
    (walk.lines.changes() == 0).then_some(key)
}

/// Takes the reading of a file from the header memo; whether it has one that fits.
fn replay(walk: &mut Walk<'_>, key: &HeaderKey, deeper: usize) -> bool {
    let Some(headers) = &walk.common.headers else { return false };
    let state = walk.state();
    let (files, table) = (&mut walk.files, &walk.macros.table);
    let fits = |record: &HeaderRecord| record.fits(state, table, |file| files.read_once(file));
    let Some(record) = headers.take(key, fits) else { return false };
    let (dependencies, table) = (&mut walk.reuse.dependencies, &mut walk.macros.table);
    if table.is_tracking() {
        record.lookups().for_each(|name| table.note_lookup(name));
        for (file, found) in record.included() {
            dependencies.note_included(file, *found, table);
        }
    }
    for (name, cases) in record.changes() {
        walk.macros.table.redefine(name, cases);
        cases.iter().for_each(|(_, id)| note_defined(walk, name, *id));
    }
    for (file, passes) in &record.once {
        read_once(walk, file, *passes);
    }
    walk.recorder.add_child(record.inclusion.clone(), deeper);
    walk.cursor.work += record.work;
    true
}

/// Ends a reading and adds it to the header memo if it may be reused.
fn end_reading(walk: &mut Walk<'_>) {
    let (inclusion, deeper) = walk.recorder.end_reading();
    let table = &mut walk.macros.table;
    let record = walk.reuse.dependencies.close(&inclusion, table, walk.cursor.work);
    if let (Some(headers), Some((key, record))) = (&walk.common.headers, record) {
        headers.add(key, record);
    }
    walk.recorder.add_child(inclusion, deeper);
}
