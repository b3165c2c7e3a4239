//! Why something in a file could not be read, and where.

use std::path::PathBuf;

/// Something in a file is not as its format has it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} (at byte {offset:#x})")]
pub(super) struct Malformed {
    /// Bytes from the start of the file, or of the image that it was found in.
    pub(super) offset: u64,
    /// The fault, without a capital or a full stop.
    pub(super) message: String,
}

impl Malformed {
    pub(super) fn new(offset: u64, message: impl Into<String>) -> Malformed {
        Malformed { offset, message: message.into() }
    }
}

/// A file, or a part of one, that could not be read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unread {
    /// The file; a member of an archive is a path below the archive's.
    pub path: PathBuf,
    /// Why, one sentence in lower case without a full stop, with the offset.
    pub message: String,
}
