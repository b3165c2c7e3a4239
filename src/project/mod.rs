//! What is to be analysed: paths, compilation databases and the command line become translation units.
//!
//! In: what the user named. Out: [`TranslationUnit`]s, each with all that its analysis needs to know
//! about how it is compiled. Knows nothing of what sources mean; of a header it looks only at
//! whether it mentions CUDA at all. The only module that knows build systems.
//!
//! Every path that leaves it is spelled the same way ([`tidy`]), so that a file has one name however
//! it was reached.

mod ask;
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
pub use targets::{Requested, requested_targets};
pub use unit::{Answers, Define, IncludeSearch, Statement, TargetOrigin, TranslationUnit, UnitKind};
pub use walk::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS};
