//! Paths compared by the file that they lead to: a header that is a unit of its own is analysed only when no source
//! includes it.

use std::path::{Path, PathBuf};

/// The path with symbolic links resolved; as it is, for a file that is not on disk.
pub(super) fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
