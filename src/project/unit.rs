//! One source file and how it is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::target::{Gfx, Options, Pass, Passes, TargetList, Toolkit};

use super::recipes::Recipe;

/// A `-D` or `-U` option; their order matters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Define {
    /// `-DNAME`, `-DNAME=VALUE`, `-D'NAME(x)=VALUE'`: name with parameters, and value (`1` if none).
    Define(String, String),
    /// `-UNAME`.
    Undef(String),
}

impl Define {
    /// A `-D` option's value: `NAME`, `NAME=VALUE`, `NAME(x)=VALUE`.
    pub fn parse(text: &str) -> Define {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        Define::Define(name.to_string(), value.to_string())
    }
}

/// Where `#include` looks, in the order of the fields: `"…"` beside the including file and from
/// `quote` on, `<…>` from `directories` on. GCC's rules (cpp manual, "Search Path").
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct IncludeSearch {
    /// `-iquote` directories.
    pub quote: Vec<PathBuf>,
    /// `-I` directories.
    pub directories: Vec<PathBuf>,
    /// What nvcc puts after them: the CUDA toolkit's. Their headers are the system's all the same.
    pub toolkit: Vec<PathBuf>,
    /// `-isystem` directories, and after them the compilers' own.
    pub system: Vec<PathBuf>,
    /// `-idirafter` directories.
    pub after: Vec<PathBuf>,
    /// `--embed-dir` directories, for `#embed`.
    pub embed: Vec<PathBuf>,
    /// `-imacros` files, of which only the macros count; read before all else.
    pub macros: Vec<PathBuf>,
    /// Files read before the unit's first line: what the compiler itself includes, `cuda_runtime.h`
    /// where it is not this, and `-include`.
    pub forced: Vec<PathBuf>,
    /// Headers of the project by file name, tried last: the one whose path ends in the
    /// directive's path and lies nearest to the including file. Without build information this
    /// finds most of a project's own headers.
    pub project_headers: Arc<BTreeMap<String, Vec<PathBuf>>>,
}

/// What a real compiler said of itself when it was asked, in the place of what GCC 12 says: the
/// questions are `__has_builtin(x)` and its like, spelled without blanks.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Answers {
    /// The questions' names that it knows: `__has_feature`.
    pub names: BTreeSet<String>,
    /// The value of each question that it was asked.
    pub values: BTreeMap<String, i64>,
}

/// Where a unit's targets were read.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TargetOrigin {
    /// `--arch`.
    CommandLine,
    /// The unit's entry in a compilation database.
    Database(PathBuf),
    /// A build file that names them plainly: `CMakeLists.txt`, `setup.py`.
    BuildFile(PathBuf),
    /// Nothing named any: every architecture of the toolkit.
    Default,
}

/// The words of a build that name a unit's targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The file: a compilation database, a `CMakeLists.txt`.
    pub path: PathBuf,
    /// The words' bytes in it.
    pub bytes: Range<usize>,
    /// The release of nvcc that compiles, if it is known.
    pub toolkit: Option<Toolkit>,
    /// Every source that these targets are named for is a unit of the run.
    pub complete: bool,
}

/// What a unit's main file is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnitKind {
    /// A source that is compiled.
    Source,
    /// A header, worth a look of its own only if no other unit includes it.
    Header,
}

/// A source file and the way it is compiled.
#[derive(Clone, PartialEq, Debug)]
pub struct TranslationUnit {
    /// The source file.
    pub main: PathBuf,
    /// Whether that is a source or a header.
    pub kind: UnitKind,
    /// The passes it is compiled in.
    pub passes: Passes,
    /// The targets, with what is embedded for which GPUs.
    pub targets: TargetList,
    /// Where the targets were read.
    pub origin: TargetOrigin,
    /// The words that name them, if a build does.
    pub stated: Option<Statement>,
    /// What it is linked into, as far as a build says: the directories in which CMake keeps the objects of
    /// each of its targets, and the programs and shared libraries that take these in, by way of static
    /// libraries too. Units that have none in common are not linked together; one that has none at all may be
    /// linked with any.
    pub groups: BTreeSet<PathBuf>,
    /// The project's conda recipes that bound the GPU.
    pub recipes: Arc<Vec<Recipe>>,
    /// `-rdc=true`, `-dc`: separate compilation.
    pub rdc: bool,
    /// The compilers and those of their options that predefine macros, but for
    /// [`TranslationUnit::rdc`].
    pub options: Options,
    /// `-D` and `-U`, in order.
    pub defines: Vec<Define>,
    /// Where `#include` looks.
    pub search: IncludeSearch,
    /// What the compiler said, if one was asked.
    pub answers: Option<Arc<Answers>>,
}

impl TranslationUnit {
    /// A unit compiled with no options beyond its targets.
    pub fn new(main: &Path, passes: Passes) -> TranslationUnit {
        TranslationUnit {
            main: main.to_path_buf(),
            kind: UnitKind::Source,
            passes,
            targets: TargetList::default(),
            origin: TargetOrigin::Default,
            stated: None,
            groups: BTreeSet::new(),
            recipes: Arc::default(),
            rdc: false,
            options: Options::default(),
            defines: Vec::new(),
            search: IncludeSearch::default(),
            answers: None,
        }
    }

    /// The passes that make code for a GPU that is not NVIDIA's, with the GPU: one that is named itself, or that a
    /// map has in the architecture's place.
    pub fn foreign(&self) -> Vec<(usize, Gfx)> {
        let mapped = |arch| self.targets.mapped.iter().find(|(one, _)| *one == arch).map(|(_, gpu)| *gpu);
        let gpu = |(index, pass): (usize, &Pass)| match pass {
            Pass::Host => None,
            Pass::Device(arch) => Some((index, mapped(*arch)?)),
            Pass::Foreign(foreign) => Some((index, foreign.gpu)),
        };
        self.passes.list().iter().enumerate().filter_map(gpu).collect()
    }

    /// The same source compiled in the same way, wherever that is said and whatever is made of the object.
    pub fn same_compilation(&self, other: &TranslationUnit) -> bool {
        self.main == other.main
            && *self
                == TranslationUnit {
                    stated: self.stated.clone(),
                    groups: self.groups.clone(),
                    ..other.clone()
                }
    }
}
