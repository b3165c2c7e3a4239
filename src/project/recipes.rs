//! conda recipes of a project, and the GPUs they ask for.

use std::path::{Path, PathBuf};

use crate::target::notation::{ArchBound, read_conda};

/// A recipe that bounds `__cuda_arch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The file.
    pub path: PathBuf,
    /// Its bounds, in order.
    pub bounds: Vec<ArchBound>,
    /// Constraints that can't be read, with their lines.
    pub unread: Vec<(usize, String)>,
}

/// The recipe in a file, if it mentions `__cuda_arch`.
pub(super) fn recipe(path: &Path) -> Option<Recipe> {
    let (bounds, unread) = read_conda(&std::fs::read_to_string(path).ok()?);
    let mentioned = !bounds.is_empty() || !unread.is_empty();
    mentioned.then(|| Recipe { path: path.to_path_buf(), bounds, unread })
}
