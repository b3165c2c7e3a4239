//! Edits that were not tried yet.

use crate::finding::{Edit, Kind};
use crate::source::SourceFile;

/// Edits that may fix a finding, not tried yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) kind: Kind,
    pub(super) title: String,
    pub(super) edits: Vec<Edit>,
}

/// Replaces a range of a file.
pub(super) fn replace(file: &SourceFile, range: std::ops::Range<usize>, text: impl Into<String>) -> Edit {
    Edit { path: file.path.clone(), start: range.start, end: range.end, text: text.into() }
}
