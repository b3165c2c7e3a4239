//! A translation unit: a source file and its compilation.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::custom::{CustomRules, without_places};
use crate::source::{kept_text, written_identifier};
use crate::target::{Gfx, Options, Pass, Passes, TargetList, Toolkit};

use super::recipes::Recipe;

/// A `-D` or `-U` option. The order of several matters.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Define {
    /// `-DNAME`, `-DNAME=VALUE`, `-D'NAME(x)=VALUE'`: the name with parameters, and the value (default `1`).
    Define(String, String),
    /// `-UNAME`.
    Undef(String),
}

/// The macro whose value makes the passes.
pub(super) const ARCH_MACRO: &str = "__CUDA_ARCH__";

impl Define {
    /// The macro's name, without parameters.
    pub(super) fn name(&self) -> &str {
        match self {
            Define::Define(name, _) => name.split_once('(').map_or(name, |(name, _)| name),
            Define::Undef(name) => name,
        }
    }

    /// Parses the value of a `-D` option: `NAME`, `NAME=VALUE`, `NAME(x)=VALUE`.
    pub fn parse(text: &str) -> Define {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        Define::Define(name.to_string(), value.to_string())
    }

    /// The same for an option that somebody gives to this program.
    ///
    /// # Errors
    /// As [`Define::check_name`].
    pub fn parse_own(text: &str) -> Result<Define, String> {
        let define = Define::parse(text);
        let Define::Define(name, _) = &define else { unreachable!("`parse` makes definitions") };
        let (plain, parameters) = name.split_once('(').unwrap_or((name, ")"));
        Define::check_name(plain)?;
        if !parameters.ends_with(')') || parameters.contains('(') {
            return Err(format!("`{name}` is no macro name: its parameters are not closed"));
        }
        Ok(define)
    }

    /// Refuses what can't be the name of a macro that a user defines or undefines.
    ///
    /// # Errors
    /// If it is no identifier, or the macro whose value makes the passes.
    pub fn check_name(name: &str) -> Result<(), String> {
        if name.starts_with(|c: char| c.is_ascii_digit())
            || written_identifier(name).len() != name.len()
            || name.is_empty()
            || name == "defined"
        {
            return Err(format!("`{name}` is no macro name: write NAME or NAME=VALUE"));
        }
        if name == ARCH_MACRO {
            return Err("the compiler defines `__CUDA_ARCH__`, with another value in each pass; `--arch` (`arch` in the \
                        configuration) names the targets"
                .into());
        }
        Ok(())
    }
}

/// The include path. `#include "…"` searches the including file's directory and the fields from `quote` on, `<…>`
/// those from `directories` on, in the order of the fields (GCC's cpp manual, "Search Path").
#[derive(Clone, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct IncludeSearch {
    /// `-iquote` directories.
    pub quote: Vec<PathBuf>,
    /// `-I` directories.
    pub directories: Vec<PathBuf>,
    /// The CUDA toolkit's directories, which nvcc searches after those. Their headers count as system headers.
    pub toolkit: Vec<PathBuf>,
    /// `-isystem` directories, followed by the compilers' own.
    pub system: Vec<PathBuf>,
    /// `-idirafter` directories.
    pub after: Vec<PathBuf>,
    /// `--embed-dir` directories, for `#embed`.
    pub embed: Vec<PathBuf>,
    /// `-imacros` files: read first, and only their macros are kept.
    pub macros: Vec<PathBuf>,
    /// Files included before the unit's first line: those that the compiler includes itself (`cuda_runtime.h` or its
    /// equivalent), and those of `-include`.
    pub forced: Vec<PathBuf>,
    /// Headers of the project by file name, searched last: the one whose path ends in the directive's path and that
    /// is nearest to the including file. Without build information this finds most of a project's own headers. Files
    /// without an extension are among them.
    pub project_headers: Arc<BTreeMap<String, Vec<PathBuf>>>,
}

/// Answers of a real compiler that was run, used instead of the stored ones of GCC 12. A question is
/// `__has_builtin(x)` or a similar expression, spelled without blanks.
#[derive(Clone, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Answers {
    /// The macro names of questions that it knows: `__has_feature`.
    pub names: BTreeSet<String>,
    /// The value of each question.
    pub values: BTreeMap<String, i64>,
}

/// The name of a variable of the environment.
pub(super) type Variable = &'static str;

/// Where a unit's targets come from.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum TargetOrigin {
    /// `--arch`, or the configuration.
    CommandLine,
    /// The unit's entry in a compilation database.
    Database(PathBuf),
    /// A build file that names them: `CMakeLists.txt`, `setup.py`.
    BuildFile(PathBuf),
    /// A variable of the environment.
    Environment(#[serde(deserialize_with = "kept_text")] Variable),
    /// A build file that leaves them to PyTorch.
    Torch(PathBuf),
    /// Nothing names any: every architecture of the toolkit is used.
    Default,
}

impl TargetOrigin {
    /// Somebody chose them for this project.
    pub fn is_chosen(&self) -> bool {
        !matches!(self, TargetOrigin::Default | TargetOrigin::Torch(_))
    }
}

/// The place in a build's files that names a unit's targets.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Statement {
    /// The file: a compilation database, a `CMakeLists.txt`.
    pub path: PathBuf,
    /// The byte range in it.
    pub bytes: Range<usize>,
    /// The release of nvcc in the build, if it is known.
    pub toolkit: Option<Toolkit>,
    /// Whether all sources for which the build names these targets are units of the run.
    pub complete: bool,
}

/// The kind of a unit's main file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum UnitKind {
    /// A source file that the build compiles.
    Source,
    /// A header. It is analysed as a unit only if no other unit includes it.
    Header,
}

/// A translation unit: a source file and the way in which it is compiled.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
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
    /// The place in the build that names them, if there is one.
    pub stated: Option<Statement>,
    /// The link groups: the object directories of the CMake targets that the unit belongs to, and the programs and
    /// shared libraries that contain their objects, directly or through static libraries. Two units without a
    /// common group are not linked together; a unit without groups may be linked with any.
    pub groups: BTreeSet<PathBuf>,
    /// The project's conda recipes with bounds on `__cuda_arch`.
    pub recipes: Arc<Vec<Recipe>>,
    /// The directories of the submodules of its repository, which are other projects.
    pub submodules: Arc<Vec<PathBuf>>,
    /// `-rdc=true`, `-dc`: separate compilation.
    pub rdc: bool,
    /// The compilers and the options that predefine macros, except [`TranslationUnit::rdc`].
    pub options: Options,
    /// `-D` and `-U`, in order.
    pub defines: Vec<Define>,
    /// Where `#include` looks.
    pub search: IncludeSearch,
    /// The answers of a real compiler, if one was run.
    pub answers: Option<Arc<Answers>>,
    /// The rules that are checked besides the built-in ones.
    pub custom: CustomRules,
}

impl TranslationUnit {
    /// A unit that is compiled with no options besides its targets.
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
            submodules: Arc::default(),
            rdc: false,
            options: Options::default(),
            defines: Vec::new(),
            search: IncludeSearch::default(),
            answers: None,
            custom: CustomRules::default(),
        }
    }

    /// The passes that make code for AMD GPUs, with the GPU: those of GPUs that are named directly, and those of
    /// architectures that a map assigns to a GPU.
    pub fn foreign(&self) -> Vec<(usize, Gfx)> {
        let mapped = |arch| self.targets.mapped.iter().find(|(one, _)| *one == arch).map(|(_, gpu)| *gpu);
        let gpu = |(index, pass): (usize, &Pass)| match pass {
            Pass::Host => None,
            Pass::Device(arch) => Some((index, mapped(*arch)?)),
            Pass::Foreign(foreign) => Some((index, foreign.gpu)),
        };
        self.passes.list().iter().enumerate().filter_map(gpu).collect()
    }

    /// The digest of all that decides how it is compiled and checked, except which headers its project has; `None` if one of its paths
    /// is not UTF-8. What becomes of the object file has no part in it, nor where in the build its targets are named.
    pub fn key(&self) -> Option<[u8; 32]> {
        let unit = TranslationUnit {
            search: IncludeSearch { project_headers: Arc::default(), ..self.search.clone() },
            stated: None,
            groups: BTreeSet::new(),
            recipes: Arc::default(),
            custom: without_places(&self.custom),
            ..self.clone()
        };
        let bytes = postcard::to_stdvec(&(unit, self.stated.is_some())).ok()?;
        Some(Sha256::digest(bytes).into())
    }

    /// Whether two units are the same source compiled with the same options, whatever becomes of the object file.
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
