//! conda recipes in a project with bounds on the GPU's compute capability.

use std::path::{Path, PathBuf};

use crate::source::read_utf8;
use crate::target::notation::{ArchBound, read_conda};

/// A recipe with bounds on `__cuda_arch`.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Recipe {
    /// The file.
    pub path: PathBuf,
    /// Its bounds, in order.
    pub bounds: Vec<ArchBound>,
    /// Bounds that can't be parsed, with their line numbers.
    pub unread: Vec<(usize, String)>,
}

/// Reads a recipe; `None` if it does not mention `__cuda_arch`.
pub(super) fn recipe(path: &Path) -> Option<Recipe> {
    let (bounds, unread) = read_conda(&read_utf8(path).ok()?);
    let mentioned = !bounds.is_empty() || !unread.is_empty();
    mentioned.then(|| Recipe { path: path.to_path_buf(), bounds, unread })
}
