//! The places of a file after an edit.

use crate::source::{FileId, Span};

/// The mapping of a file's places from one text to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// The file as it was and as it is.
    pub(super) from: FileId,
    pub(super) to: FileId,
    /// The first replaced byte of the old text and the one behind the last.
    pub(super) replaced: (u32, u32),
    /// The number of bytes in their place.
    pub(super) length: u32,
}

impl Shift {
    /// The place in the new text; `None` for one that the edit cuts.
    pub(super) fn span(&self, at: Span) -> Option<Span> {
        if at.file != self.from {
            return Some(at);
        }
        let end = if at.end <= self.replaced.0 { at.end } else { self.offset(at.end)? };
        Some(Span { file: self.to, start: self.offset(at.start)?, end })
    }

    /// The place in the new text of whole lines; `None` for those that the edit cuts.
    pub(super) fn lines(&self, at: Span) -> Option<Span> {
        if at.file != self.from {
            return Some(at);
        }
        Some(Span { file: self.to, start: self.offset(at.start)?, end: self.offset(at.end)? })
    }

    /// The new offset of a token or line that begins at one.
    fn offset(&self, at: u32) -> Option<u32> {
        let (first, end) = self.replaced;
        match at {
            // The end of the file, wherever that is.
            u32::MAX => Some(at),
            at if at >= end => Some(at - end + first + self.length),
            at if at < first => Some(at),
            _ => None,
        }
    }
}
