//! Finds the files under the paths that the user gives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::paths::tidy;

/// The extensions of source files.
pub const SOURCE_EXTENSIONS: &[&str] = &[".cu"];

/// The extensions of headers.
pub const HEADER_EXTENSIONS: &[&str] = &[".cuh", ".cu.h", ".h", ".hpp", ".hxx", ".hh", ".inl", ".inc"];

/// The extensions of sources that nvcc compiles as CUDA only where a build says so.
const CPP_EXTENSIONS: &[&str] = &[".cpp", ".cc", ".cxx", ".c++"];

/// The file names of conda recipes: of conda-build and of recipe format 1 (CEP 13).
const RECIPES: [&str; 2] = ["meta.yaml", "recipe.yaml"];

/// The files of a directory tree, each list sorted.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Source files.
    pub(super) sources: Vec<PathBuf>,
    /// Headers.
    pub(super) headers: Vec<PathBuf>,
    /// Files whose names have no extension: some are headers, `cuda/std/limits`, `Eigen/Dense`.
    pub(super) bare: Vec<PathBuf>,
    /// conda recipes.
    pub(super) recipes: Vec<PathBuf>,
    /// How many C++ sources there are, which are not taken for CUDA.
    pub(super) cpp_sources: usize,
    /// Directories that could not be listed, with the reason.
    pub(super) unreadable: Vec<String>,
}

/// The sources, headers and recipes under `root`, without hidden files and those that `.gitignore` excludes.
pub(super) fn walk(root: &Path) -> Found {
    let mut found = Found::default();
    for entry in WalkBuilder::new(root).build() {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => found.add(entry.path()),
            Ok(entry) if entry.path_is_symlink() && entry.path().is_file() => found.add(entry.path()),
            Ok(_) => {}
            Err(error) => found.unreadable.push(error.to_string()),
        }
    }
    found.sources.sort();
    found.headers.sort();
    found.bare.sort();
    found.recipes.sort();
    found
}

impl Found {
    fn add(&mut self, path: &Path) {
        if ends_in(path, SOURCE_EXTENSIONS) {
            self.sources.push(tidy(path));
        } else if ends_in(path, CPP_EXTENSIONS) {
            self.cpp_sources += 1;
        } else if ends_in(path, HEADER_EXTENSIONS) {
            self.headers.push(tidy(path));
        } else if path.file_name().is_some_and(|name| RECIPES.iter().any(|one| name == *one)) {
            self.recipes.push(tidy(path));
        } else if path.extension().is_none() {
            self.bare.push(tidy(path));
        }
    }
}

/// Whether the path's name ends in one of the extensions and is longer than that.
pub(super) fn ends_in(path: &Path, extensions: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    extensions.iter().any(|extension| name.len() > extension.len() && name.ends_with(extension))
}

/// The headers by file name; the paths of each name are sorted and without repetition.
pub(super) fn by_name<'a>(headers: impl Iterator<Item = &'a PathBuf>) -> BTreeMap<String, Vec<PathBuf>> {
    let mut index: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for header in headers {
        if let Some(name) = header.file_name() {
            index.entry(name.to_string_lossy().into_owned()).or_default().push(header.clone());
        }
    }
    for paths in index.values_mut() {
        paths.sort();
        paths.dedup();
    }
    index
}
