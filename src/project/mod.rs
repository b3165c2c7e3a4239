//! Finds the translation units to analyse, from paths, compilation databases and the command line.
//!
//! In: the paths and settings that the user gives. Out: [`TranslationUnit`]s, each with everything about its
//! compilation that the analysis needs. Knows nothing about the meaning of sources; of a header it only checks
//! whether it mentions CUDA. The only module that knows build systems.
//!
//! All paths that leave the module are normalised by [`tidy`], so that a file has one name however it was reached.

mod run_compiler;
mod build_files;
mod command;
mod compilers;
mod database;
mod devices;
mod discover;
mod headers;
mod links;
mod paths;
mod recipes;
mod targets;
mod toolkit;
mod unit;
mod walk;
mod words;

pub use devices::{Driver, driver};
pub use discover::{Headers, Project, ProjectError, ProjectProblem, Settings, discover};
pub use paths::{is_tidy, tidy};
pub use recipes::Recipe;
pub use targets::{RequestedTargets, requested_targets};
pub use unit::{Answers, Define, IncludeSearch, Statement, TargetOrigin, TranslationUnit, UnitKind};
pub use walk::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS};
