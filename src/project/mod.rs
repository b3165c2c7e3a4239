//! Finds the translation units to analyse, from paths, compilation databases and the command line.
//!
//! In: the paths and settings that the user gives. Out: [`TranslationUnit`]s, each with everything about its
//! compilation that the analysis needs. Knows nothing about the meaning of sources; of a header it only checks
//! whether it mentions CUDA. The only module that knows build systems.
//!
//! All paths that leave the module are normalised by [`tidy`], so that a file has one name however it was reached.

mod words;
mod paths;
mod walk;
mod run_compiler;
mod devices;
mod headers;
mod toolkit;
mod recipes;
mod unit;
mod third_party;
mod settings;
mod command;
mod database;
mod links;
mod build_files;
mod compilers;
mod targets;
mod discover;

pub use devices::{Driver, driver};
pub use discover::{Project, ProjectProblem, discover};
pub use paths::{is_tidy, tidy};
pub use recipes::Recipe;
pub use settings::{ByName, Headers, ProjectError, Settings};
pub use targets::{RequestedTargets, requested_targets};
pub use third_party::THIRD_PARTY;
pub use unit::{Answers, Define, IncludeSearch, Statement, TargetOrigin, TranslationUnit, UnitKind};
pub use walk::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS};
