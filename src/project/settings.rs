//! The settings of a project, and the reasons why it can't be made of them.
//!
//! In: nothing but values. Out: [`Settings`] and [`ProjectError`] with its help. Knows nothing of how units are found.

use std::path::PathBuf;

use crate::custom::CustomRules;
use crate::target::{TargetError, TooManyPasses, UnknownStandard, UnknownToolkit};

use super::unit::Define;
use super::walk::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS};

/// The user's settings about compilation, from the command line, configuration file or editor.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Lists of targets as typed, in any notation ([`crate::target::notation`]), in order. They override the
    /// database's. Without targets anywhere, every architecture of the toolkit is used.
    pub targets: Vec<String>,
    /// Include directories, searched after the database's.
    pub directories: Vec<PathBuf>,
    /// Macro definitions and undefinitions, after the database's.
    pub defines: Vec<Define>,
    /// All units are compiled with `-rdc=true`, whatever the database says.
    pub rdc: bool,
    /// A compilation database or the directory that holds it; `None` to search for one.
    pub database: Option<PathBuf>,
    /// `-std`, overriding the database.
    pub standard: Option<String>,
    /// The release of nvcc, `12.4`; `None` for that of the toolkit found, else 13.0.
    pub cuda_version: Option<String>,
    /// The directory of the CUDA toolkit.
    pub cuda_path: Option<PathBuf>,
    /// A host compiler to run for its predefined macros and include directories, in place of the stored ones.
    pub compiler: Option<PathBuf>,
    /// Further compiler options, after the database's.
    pub options: Vec<String>,
    /// Where system headers come from.
    pub headers: Headers,
    /// Whether headers that no directory has are looked for in the whole project.
    pub by_name: ByName,
    /// The rules that are checked besides the built-in ones.
    pub custom: CustomRules,
}

/// Whether headers that no directory has are looked for in the whole project, by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ByName {
    /// They are: without build information this finds most of a project's own headers.
    #[default]
    Found,
    /// They are not, nor is the project walked for them: a build system names all directories, and has to know which files a
    /// result may rest on.
    NotFound,
}

/// The source of system headers, such as `<vector>` and `<cuda_fp16.h>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Headers {
    /// Built-in stand-ins, so that the result does not depend on the machine.
    #[default]
    BuiltIn,
    /// The headers of the installed compiler and CUDA toolkit, as far as they are found.
    Installed,
}

/// The reason why there is nothing to analyse.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A path the user named does not exist.
    #[error("no such file or directory: `{}`", .0.display())]
    NoSuchPath(PathBuf),
    /// The paths hold no source.
    #[error("no CUDA source found under {}", list(.0))]
    NoSource(Vec<PathBuf>),
    /// An unknown architecture.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// More targets than a unit can have.
    #[error(transparent)]
    TooManyPasses(#[from] TooManyPasses),
    /// An option of `--extra-arg` that can't be.
    #[error("{0}")]
    Option(String),
    /// An unknown language standard.
    #[error(transparent)]
    Standard(#[from] UnknownStandard),
    /// An unknown CUDA release.
    #[error(transparent)]
    Toolkit(#[from] UnknownToolkit),
    /// No toolkit in the directory that the user names.
    #[error("no CUDA toolkit in `{}`", .0.display())]
    NoToolkit(PathBuf),
    /// The compiler that the user names could not be run.
    #[error("failed to run `{}`: {reason}", path.display())]
    Compiler {
        /// The compiler.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The compilation database can't be read.
    #[error("failed to read `{}`: {reason}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl ProjectError {
    /// The suggested remedy.
    pub fn help(&self) -> String {
        match self {
            ProjectError::NoSuchPath(_) => {
                "pass a source file, or a directory that contains source files".into()
            }
            ProjectError::NoSource(_) => format!(
                "looked for files that end in {}, and for headers ({}) that mention `__global__` or \
                 `__CUDA_ARCH__`; to analyse a file with another name, pass its path",
                SOURCE_EXTENSIONS.join(", "),
                HEADER_EXTENSIONS.join(", ")
            ),
            ProjectError::Option(_) => "`--extra-arg` takes options of nvcc or of the host compiler".into(),
            ProjectError::Target(error) => error.help.clone(),
            ProjectError::Standard(error) => error.help(),
            ProjectError::Toolkit(error) => error.help(),
            ProjectError::NoToolkit(_) => {
                "pass the directory that contains `include/cuda_runtime.h`, such as `/usr/local/cuda`".into()
            }
            ProjectError::Compiler { .. } => {
                "pass a host compiler that accepts `-dM -E -x c++`, such as `g++` or `clang++`; for nvcc use \
                 `--cuda-version`"
                    .into()
            }
            ProjectError::TooManyPasses(_) => "split the list of targets over several runs".into(),
            ProjectError::Database { .. } => {
                "pass `-p` with a compile_commands.json, or with the directory that contains one".into()
            }
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}
