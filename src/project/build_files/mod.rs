//! Targets that build files name literally, for sources without a compilation database.
//!
//! A build file is a program, which is not run here. It counts only if all its statements about targets are outside
//! of branches and loops and have literal values; otherwise it is ignored. [`READERS`] has a row for each build
//! system.

mod declared;
mod cmake_lists;
mod setup_py;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::source::read_utf8;
use crate::target::notation::{read_cmake, read_list, read_torch};
use crate::target::{Context, TargetList};

use crate::project::paths::{repository, tidy};

use declared::{DeclaredTargets, Notation, nvcc_options, only};

/// The names of build files and their readers, in order of precedence.
const READERS: [(&str, Reader); 2] = [("CMakeLists.txt", cmake_lists::read), ("setup.py", setup_py::read)];

/// Finds the targets in a build file's text.
type Reader = fn(&str) -> DeclaredTargets;

/// Targets that a build file names literally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BuildFileTargets {
    /// The file.
    pub(super) path: PathBuf,
    /// The byte range of the first name.
    pub(super) bytes: Range<usize>,
    /// The targets.
    pub(super) list: TargetList,
}

/// The build files of a run, each read at most once.
#[derive(Debug)]
pub(super) struct BuildFiles {
    /// The directories that the user named. Outside of a repository, build files above them are ignored.
    roots: Vec<PathBuf>,
    read: RefCell<BTreeMap<PathBuf, Option<(PathBuf, DeclaredTargets)>>>,
}

impl BuildFiles {
    /// For the sources under these paths.
    pub(super) fn new(roots: &[PathBuf]) -> BuildFiles {
        BuildFiles { roots: roots.to_vec(), read: RefCell::default() }
    }

    /// The targets for a source: those of the nearest build file that names any.
    pub(super) fn targets_of(&self, source: &Path, context: &Context) -> Option<BuildFileTargets> {
        let source = std::path::absolute(source).ok()?;
        let directory = source.parent()?;
        let (path, declared) = self
            .top(directory)
            .into_iter()
            .flat_map(|top| directory.ancestors().take_while(move |one| one.starts_with(&top)))
            .find_map(|directory| self.of_directory(directory))?;
        let DeclaredTargets::Plain(notation, text, bytes) = declared else { return None };
        let reading = match notation {
            Notation::Cmake => read_cmake(&text, context),
            Notation::Torch => read_torch(&text, context),
            Notation::Nvcc => read_list(&text, context),
        };
        // Misspelt targets are errors of the build, which reports them itself.
        let list = reading.strict().ok().filter(|list| !list.passes.is_empty())?;
        Some(BuildFileTargets { path: tidy(&path), bytes, list })
    }

    /// Whether the run looked at the whole directory that the build file is responsible for.
    pub(super) fn covers(&self, build_file: &Path) -> bool {
        let Ok(path) = std::path::absolute(build_file) else { return false };
        let holds = |root: &PathBuf| {
            std::path::absolute(root)
                .is_ok_and(|root| root.is_dir() && path.parent().is_some_and(|at| at.starts_with(root)))
        };
        self.roots.iter().any(holds)
    }

    /// The highest directory whose build file can apply to a source: the root of its repository, else the path
    /// under which it was found, else its own directory.
    fn top(&self, directory: &Path) -> Option<PathBuf> {
        let above = |root: &&PathBuf| {
            std::path::absolute(root).is_ok_and(|root| root.is_dir() && directory.starts_with(root))
        };
        let root = repository(directory).or_else(|| self.roots.iter().find(above).cloned());
        std::path::absolute(root.as_deref().unwrap_or(directory)).ok()
    }

    fn of_directory(&self, directory: &Path) -> Option<(PathBuf, DeclaredTargets)> {
        let mut read = self.read.borrow_mut();
        read.entry(directory.to_path_buf()).or_insert_with(|| declared_in(directory)).clone()
    }
}

/// The targets in a directory's build files: those of the first file that names any.
fn declared_in(directory: &Path) -> Option<(PathBuf, DeclaredTargets)> {
    READERS.iter().find_map(|(name, read)| {
        let path = directory.join(name);
        let declared = read(&read_utf8(&path).ok()?);
        (declared != DeclaredTargets::Nothing).then_some((path, declared))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The passes named for `source` in a repository with these files.
    fn check(files: &[(&str, &str)], source: &str, expected: &str) {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(".git")).unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let files = BuildFiles::new(&[]);
        let named = files.targets_of(&root.path().join(source), &Context::default());
        let found = named.map_or("none".to_string(), |named| {
            let images: Vec<String> = named.list.images.iter().map(ToString::to_string).collect();
            format!("{}: {}", named.path.strip_prefix(root.path()).unwrap().display(), images.join(" "))
        });
        assert_eq!(found, expected);
    }

    const CMAKE: &str = "set(CMAKE_CUDA_ARCHITECTURES 80-real 90)\n";

    #[test]
    fn the_nearest_build_file_that_mentions_targets_counts() {
        check(&[("CMakeLists.txt", CMAKE)], "src/a.cu", "CMakeLists.txt: sm_80 compute_90 sm_90");
        let inner = ("src/CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 75-real)");
        check(&[("CMakeLists.txt", CMAKE), inner], "src/a.cu", "src/CMakeLists.txt: sm_75");
        check(&[("CMakeLists.txt", CMAKE), ("src/CMakeLists.txt", "add_library(x a.cu)")], "src/a.cu", {
            "CMakeLists.txt: sm_80 compute_90 sm_90"
        });
        check(&[], "src/a.cu", "none");
    }

    #[test]
    fn a_nearer_one_that_computes_them_hides_those_above() {
        let computed = ("src/CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES ${MINE})");
        check(&[("CMakeLists.txt", CMAKE), computed], "src/a.cu", "none");
    }

    #[test]
    fn setup_py_counts_where_cmake_says_nothing() {
        let setup = ("setup.py", "flags = ['-gencode=arch=compute_90a,code=sm_90a']\n");
        check(&[setup], "csrc/a.cu", "setup.py: sm_90a");
        check(&[setup, ("CMakeLists.txt", "project(x CUDA)")], "csrc/a.cu", "setup.py: sm_90a");
        check(&[setup, ("CMakeLists.txt", CMAKE)], "csrc/a.cu", "CMakeLists.txt: sm_80 compute_90 sm_90");
    }

    #[test]
    fn misspelt_targets_are_not_taken() {
        check(&[("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 81)")], "a.cu", "none");
        check(&[("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES \"\")")], "a.cu", "none");
    }
}
