//! The configuration file, `cuda-arch-lint.toml`.
//!
//! In: a path to begin at, or the file. Out: a [`Config`], its paths made absolute. Every key has a flag of
//! the command line that does the same. A key or a value that is not understood is an error with its place.
//! Knows nothing of the command line.

mod error;
mod places;
mod custom;
mod file;
mod meaning;

pub use custom::{RuleTable, all_rules, contributed, rules_of_file};
pub use error::ConfigError;
pub use file::{Config, FILE_NAME, Loaded, Override, find, load};
pub use meaning::{globs, levels};
