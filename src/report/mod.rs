//! Findings to bytes: one file a format.
//!
//! In: a [`Report`], which is findings, problems and what was looked at. Out: text for people or
//! for programs. Knows findings, sources and targets; never how the analysis came by them.
//!
//! A new format is a file with a `FORMAT` and a row in [`FORMATS`]: help, documentation and tests
//! walk that table.

mod excerpt;
mod json;
mod summary;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::Finding;
use crate::source::{Sources, Span};

pub use json::{JsonFinding, finding as json_finding};
pub use summary::{Summary, Targets};
pub use text::decides;

/// Everything a run has to say.
#[derive(Debug)]
pub struct Report<'a> {
    /// The findings, in the order they are printed.
    pub findings: &'a [Finding],
    /// What could not be done.
    pub problems: Vec<Problem>,
    /// What was looked at.
    pub summary: Summary,
    /// The files the findings point into.
    pub sources: &'a Sources,
}

/// Something the run could not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file it concerns.
    pub path: PathBuf,
    /// What is wrong, one sentence in lower case without a full stop.
    pub message: String,
    /// Where, if at a place.
    pub at: Option<Span>,
    /// Something was left unanalysed because of it.
    pub incomplete: bool,
}

/// A way to print a [`Report`].
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What `--format` calls it.
    pub name: &'static str,
    /// One line for the help.
    pub about: &'static str,
    /// Prints the report.
    pub write: fn(&Report<'_>, &mut dyn WriteColor) -> io::Result<()>,
}

/// Every format, the default first.
pub const FORMATS: &[Format] = &[text::FORMAT, json::FORMAT];

/// A path as reports print it: relative to the working directory when below it, with `/`.
fn display_path(path: &Path) -> String {
    let below =
        std::env::current_dir().ok().and_then(|current| path.strip_prefix(current).ok().map(PathBuf::from));
    let path = below.as_deref().unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// The display path of a place's file.
fn path_of(sources: &Sources, at: Span) -> String {
    display_path(&sources.file(at.file).path)
}
