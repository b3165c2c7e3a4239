//! conda recipes of a project, and the GPUs they ask for.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::target::notation::{ArchBound, read_conda};

use super::paths::tidy;

/// The names of recipes: conda-build's, and that of recipe format 1 (CEP 13).
const NAMES: [&str; 2] = ["meta.yaml", "recipe.yaml"];

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

/// The recipes under a path that mention `__cuda_arch`, by path; hidden files and what `.gitignore` names
/// are left out.
pub fn recipes(root: &Path) -> Vec<Recipe> {
    let files = WalkBuilder::new(root).build().filter_map(Result::ok).map(|entry| entry.into_path());
    let named =
        files.filter(|path| path.file_name().is_some_and(|name| NAMES.iter().any(|one| name == *one)));
    let read = |path: PathBuf| {
        let (bounds, unread) = read_conda(&std::fs::read_to_string(&path).ok()?);
        (!bounds.is_empty() || !unread.is_empty()).then(|| Recipe { path: tidy(&path), bounds, unread })
    };
    let mut recipes: Vec<Recipe> = named.filter_map(read).collect();
    recipes.sort_by(|left, right| left.path.cmp(&right.path));
    recipes
}
