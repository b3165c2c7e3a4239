//! cuda-arch-lint.

pub mod source;
pub mod target;
pub mod project;
pub mod preprocess;
pub mod variance;
pub mod syntax;
pub mod facts;
pub mod finding;
pub mod rules;
pub mod analysis;
pub mod report;
pub mod cli;
