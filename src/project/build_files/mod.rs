//! Targets that build files, caches and the environment name, for sources without a compilation database.
//!
//! A build file is a program, which is not run here. It counts only if what it says about targets can be told without that:
//! from its own variables, the toolkit in force, and what a build for CUDA on Linux is. [`READERS`] has a row for each build
//! system.

mod declared;
mod cmake_syntax;
mod cmake_condition;
mod cmake_lists;
mod cmake_cache;
mod python_blocks;
mod setup_py;
mod make_expansion;
mod makefile;
mod assigned;
mod environment;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::source::read_utf8;
use crate::target::notation::{read_cmake, read_list, read_torch};
use crate::target::{Context, TargetList, Toolkit};

use crate::project::devices::devices;
use crate::project::paths::{project_root, tidy};

use declared::{BuildFile, DeclaredTargets, Notation, nvcc_options, only};

pub(super) use environment::EnvironmentTargets;

/// The names of build files and their readers, in order of precedence.
const READERS: [(&str, Reader); 16] = [
    ("CMakeLists.txt", cmake_lists::read),
    ("setup.py", setup_py::read),
    ("CMakePresets.json", assigned::read),
    ("pyproject.toml", assigned::read),
    ("Makefile", makefile::read),
    ("makefile", makefile::read),
    ("GNUmakefile", makefile::read),
    ("recipe/build.sh", assigned::read),
    ("recipe/meta.yaml", assigned::read),
    ("recipe/recipe.yaml", assigned::read),
    ("conda/build.sh", assigned::read),
    ("conda/meta.yaml", assigned::read),
    ("conda/recipe.yaml", assigned::read),
    ("conda.recipe/build.sh", assigned::read),
    ("conda.recipe/meta.yaml", assigned::read),
    ("meta.yaml", assigned::read),
];

/// Finds the targets in a build file.
type Reader = fn(&BuildFile<'_>) -> DeclaredTargets;

/// The architectures of PyTorch's own releases, by the lowest release of CUDA that each list is for: an extension runs where
/// its PyTorch does (pytorch/pytorch, `.ci/manywheel/build_cuda.sh`; for 13.0, `torch.cuda.get_arch_list()` of 2.9).
const TORCH_RELEASES: [((u32, u32), &str); 5] = [
    ((13, 0), "7.5;8.0;8.6;9.0;10.0;12.0+PTX"),
    ((12, 9), "7.0;7.5;8.0;8.6;9.0;10.0;12.0+PTX"),
    ((12, 8), "7.0;7.5;8.0;8.6;9.0;10.0;12.0"),
    ((12, 0), "5.0;6.0;7.0;7.5;8.0;8.6;9.0"),
    ((11, 8), "3.7;5.0;6.0;7.0;7.5;8.0;8.6;9.0"),
];

/// Targets that a build names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BuildTargets {
    /// A file names them.
    File {
        /// The file.
        path: PathBuf,
        /// The byte range of the first name.
        bytes: Range<usize>,
        /// The targets.
        list: TargetList,
    },
    /// The environment does.
    Environment(EnvironmentTargets),
    /// A file leaves them to PyTorch: the GPUs of this machine, or the targets of PyTorch's own releases if it has none.
    Torch {
        /// The file.
        path: PathBuf,
        /// The targets.
        list: TargetList,
    },
}

/// The build files of a run, each read at most once.
#[derive(Debug)]
pub(super) struct BuildFiles {
    /// The directories that the user named. Outside of a repository, build files above them are ignored.
    roots: Vec<PathBuf>,
    toolkit: Toolkit,
    read: RefCell<BTreeMap<PathBuf, Option<(PathBuf, DeclaredTargets)>>>,
}

impl BuildFiles {
    /// For the sources under these paths, built with this toolkit.
    pub(super) fn new(roots: &[PathBuf], toolkit: Toolkit) -> BuildFiles {
        BuildFiles { roots: roots.to_vec(), toolkit, read: RefCell::default() }
    }

    /// The targets for a source: those of the nearest build file that names any, unless a build directory was configured
    /// with others, or the environment names others, and the file leaves room for that.
    pub(super) fn targets_of(&self, source: &Path, context: &Context) -> Option<BuildTargets> {
        let source = std::path::absolute(source).ok()?;
        let directory = source.parent()?;
        let top = self.top(directory);
        let declared = top
            .iter()
            .flat_map(|top| directory.ancestors().take_while(move |one| one.starts_with(top)))
            .find_map(|directory| self.of_directory(directory));
        if let Some((path, declared @ DeclaredTargets::Plain(..))) = &declared {
            return file_targets(path, declared, context);
        }
        let of_cache = || top.and_then(|top| self.of_cache(&top));
        let configured = of_cache().and_then(|(path, declared)| file_targets(&path, &declared, context));
        let value = |name: &str| std::env::var(name).ok();
        let of_environment = || environment::targets(value, context).map(BuildTargets::Environment);
        configured.or_else(of_environment).or_else(|| match declared? {
            (path, DeclaredTargets::Torch) => torch_targets(&path, context),
            (path, declared) => file_targets(&path, &declared, context),
        })
    }

    /// What the build directory below `top` was configured with.
    fn of_cache(&self, top: &Path) -> Option<(PathBuf, DeclaredTargets)> {
        let key = top.join("CMakeCache.txt");
        let mut read = self.read.borrow_mut();
        let found = read.entry(key).or_insert_with(|| {
            let (path, text) = cmake_cache::find(top)?;
            let file = BuildFile { text: &text, directory: top, toolkit: self.toolkit, gpus: 0 };
            Some((path.clone(), cmake_cache::read(&file)))
        });
        found.clone()
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

    /// The highest directory whose build file can apply to a source: the root of its project, else the path
    /// under which it was found, else its own directory.
    fn top(&self, directory: &Path) -> Option<PathBuf> {
        let above = |root: &&PathBuf| {
            std::path::absolute(root).is_ok_and(|root| root.is_dir() && directory.starts_with(root))
        };
        let root = project_root(directory).or_else(|| self.roots.iter().find(above).cloned());
        std::path::absolute(root.as_deref().unwrap_or(directory)).ok()
    }

    fn of_directory(&self, directory: &Path) -> Option<(PathBuf, DeclaredTargets)> {
        let mut read = self.read.borrow_mut();
        let found = read.entry(directory.to_path_buf());
        found.or_insert_with(|| declared_in(directory, self.toolkit)).clone()
    }
}

/// The targets in a directory's build files: those of the first file that names any, else what the first one computes.
fn declared_in(directory: &Path, toolkit: Toolkit) -> Option<(PathBuf, DeclaredTargets)> {
    let mut other: Option<(PathBuf, DeclaredTargets)> = None;
    let gpus = devices().len();
    for (name, read) in READERS {
        let path = directory.join(name);
        let Some(text) = path.is_file().then(|| read_utf8(&path).ok()).flatten() else { continue };
        match read(&BuildFile { text: &text, directory, toolkit, gpus }) {
            DeclaredTargets::Nothing => {}
            named @ (DeclaredTargets::Plain(..) | DeclaredTargets::Default(..)) => {
                return Some((path, named));
            }
            declared => {
                other.get_or_insert((path, declared));
            }
        }
    }
    other
}

/// The targets that a file names.
fn file_targets(path: &Path, declared: &DeclaredTargets, context: &Context) -> Option<BuildTargets> {
    let (DeclaredTargets::Plain(notation, text, bytes) | DeclaredTargets::Default(notation, text, bytes)) =
        declared
    else {
        return None;
    };
    let reading = match notation {
        Notation::Cmake => read_cmake(text, context),
        Notation::Torch => read_torch(text, context),
        Notation::Nvcc => read_list(text, context),
    };
    // Misspelt targets are errors of the build, which reports them itself.
    let list = reading.strict().ok().filter(|list| !list.passes.is_empty())?;
    Some(BuildTargets::File { path: tidy(path), bytes: bytes.clone(), list })
}

/// The targets that PyTorch takes.
fn torch_targets(path: &Path, context: &Context) -> Option<BuildTargets> {
    let Toolkit { major, minor, .. } = context.toolkit;
    let releases = TORCH_RELEASES.iter().find(|(lowest, _)| *lowest <= (major, minor));
    let text = if (context.devices)().is_empty() { releases?.1 } else { "native" };
    let list = read_torch(text, context).strict().ok().filter(|list| !list.passes.is_empty())?;
    Some(BuildTargets::Torch { path: tidy(path), list })
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
        let files = BuildFiles::new(&[], Toolkit::default());
        let named = files.targets_of(&root.path().join(source), &Context::default());
        let found = named.map_or("none".to_string(), |named| {
            let (path, list) = match named {
                BuildTargets::File { path, list, .. } | BuildTargets::Torch { path, list } => (path, list),
                BuildTargets::Environment(found) => (root.path().join(found.variable), found.list),
            };
            let images: Vec<String> = list.images.iter().map(ToString::to_string).collect();
            format!("{}: {}", path.strip_prefix(root.path()).unwrap().display(), images.join(" "))
        });
        assert_eq!(found, expected);
    }

    const CMAKE: &str = "set(CMAKE_CUDA_ARCHITECTURES 80-real 90)\n";

    #[test]
    fn the_nearest_build_file_that_mentions_targets_counts() {
        check(&[("CMakeLists.txt", CMAKE)], "src/a.cu", "CMakeLists.txt: sm_80 compute_90 sm_90");
        let inner = ("src/CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 75-real)");
        check(&[("CMakeLists.txt", CMAKE), inner], "src/a.cu", "src/CMakeLists.txt: sm_75");
        check(
            &[("CMakeLists.txt", CMAKE), ("src/CMakeLists.txt", "add_library(x a.cu)")],
            "src/a.cu",
            "CMakeLists.txt: sm_80 compute_90 sm_90",
        );
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
    fn what_a_build_directory_was_configured_with_goes_before_defaults() {
        let cache = ("build/CMakeCache.txt", "CMAKE_CUDA_ARCHITECTURES:STRING=86-real\n");
        let default =
            "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 75-real)\nendif()\n";
        check(&[("CMakeLists.txt", default), cache], "src/a.cu", "build/CMakeCache.txt: sm_86");
        check(&[("CMakeLists.txt", default)], "src/a.cu", "CMakeLists.txt: sm_75");
        check(&[("CMakeLists.txt", CMAKE), cache], "src/a.cu", "CMakeLists.txt: sm_80 compute_90 sm_90");
        check(
            &[("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES ${X})"), cache],
            "a.cu",
            "build/CMakeCache.txt: sm_86",
        );
    }

    #[test]
    fn makefiles_presets_and_recipes_count_too() {
        check(&[("Makefile", "NVCCFLAGS = -arch=sm_80\n")], "src/a.cu", "Makefile: sm_80 compute_80");
        let included = ("make/common.mk", "F = -gencode arch=compute_90,code=sm_90\n");
        check(&[("Makefile", "include make/common.mk\n"), included], "a.cu", "Makefile: sm_90");
        check(
            &[("CMakePresets.json", "{\"CMAKE_CUDA_ARCHITECTURES\": \"80-real\"}")],
            "a.cu",
            "CMakePresets.json: sm_80",
        );
        check(&[("conda/build.sh", "export CUDAARCHS=80-real\n")], "a.cu", "conda/build.sh: sm_80");
    }

    #[test]
    fn an_extension_of_pytorch_is_built_for_what_pytorch_is() {
        if !(Context::default().devices)().is_empty() {
            return;
        }
        let setup = ("setup.py", "setup(ext_modules=[CUDAExtension('x', ['a.cu'])])\n");
        check(&[setup], "a.cu", "setup.py: sm_100 compute_120 sm_120 sm_75 sm_80 sm_86 sm_90");
    }

    #[test]
    fn misspelt_targets_are_not_taken() {
        check(&[("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 81)")], "a.cu", "none");
        check(&[("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES \"\")")], "a.cu", "none");
    }
}
