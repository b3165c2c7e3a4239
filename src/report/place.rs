//! Places as reports name them: a path, a line and columns.

use std::path::{Path, PathBuf};

use crate::finding::Edit;
use crate::source::{Sources, Span};

use super::paths::{self, display_path};

/// The path, as it is displayed, of a place's file.
pub(super) fn path_of(sources: &Sources, at: Span) -> String {
    display_path(&sources.file(at.file).path)
}

/// The text that an edit replaces; `None` if its file can't be read any more.
pub(super) fn replaced(sources: &Sources, edit: &Edit) -> Option<Span> {
    let file = sources.read(&edit.path).ok()?;
    Some(Span { file: file.id, start: edit.start as u32, end: edit.end as u32 })
}

/// The path, line and columns of a span's first line.
pub(super) fn first_line(sources: &Sources, at: Span) -> Line {
    let file = sources.file(at.file);
    let start = file.line_column(at.start);
    let index = start.line as usize - 1;
    let line_end = (file.line_start(index) + file.line_text(index).len()) as u32;
    let end = file.line_column(at.end.min(line_end).max(at.start)).column;
    Line { path: file.path.clone(), line: start.line, column: start.column, end }
}

/// A range of columns on one line.
pub(super) struct Line {
    pub(super) path: PathBuf,
    /// From 1.
    pub(super) line: u32,
    /// From 1, in Unicode scalar values.
    pub(super) column: u32,
    /// One past the last column.
    pub(super) end: u32,
}

impl Line {
    /// The path in the form that code hosts need.
    pub(super) fn path(&self, root: &Path) -> String {
        paths::below(&self.path, root)
    }
}
