//! Paths compared by the file that they lead to: a header that is a unit of its own is analysed only when no source
//! includes it.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::source::{FileId, Sources};

/// The path with symbolic links resolved; as it is, for a file that is not on disk.
pub(super) fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The files that units include.
#[derive(Default)]
pub(super) struct Included {
    files: FxHashSet<FileId>,
    paths: FxHashSet<PathBuf>,
}

impl Included {
    /// Adds those of a unit.
    pub(super) fn add(&mut self, files: &[FileId], sources: &Sources) {
        for file in files {
            if self.files.insert(*file) {
                self.paths.insert(resolved(&sources.file(*file).path));
            }
        }
    }

    /// A unit includes the file at a path.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.paths.contains(&resolved(path))
    }
}
