//! Findings to bytes: one file a format.
//!
//! In: a [`Report`], which is findings, problems and what was looked at. Out: text for people or
//! for programs. Knows findings, sources, targets and what rules say about themselves; never how the
//! analysis came by them.
//!
//! A new format is a file with a `FORMAT` and a row in [`FORMATS`]: help, documentation and tests
//! walk that table.

mod checkstyle;
mod concise;
mod excerpt;
mod github;
mod gitlab;
mod html;
mod json;
mod jsonl;
mod junit;
mod paths;
mod sarif;
mod summary;
mod text;
mod xml;

use std::io;
use std::path::{Path, PathBuf};

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::{Finding, Region, Reported};
use crate::source::{Sources, Span};

pub use json::{JsonFinding, JsonReport, finding as json_finding};
pub use jsonl::JsonLine;
pub use paths::display_path;
pub use sarif::MOST_RESULTS as MOST_SARIF_RESULTS;
pub use summary::{Summary, Targets, count};
pub use text::decides;

/// Everything a run has to say.
#[derive(Debug)]
pub struct Report<'a> {
    /// The findings, in the order they are printed; those that something keeps quiet included.
    pub findings: &'a [Reported],
    /// What could not be done.
    pub problems: Vec<Problem>,
    /// What was looked at.
    pub summary: Summary,
    /// Which passes see which lines of the files that findings point at.
    pub regions: &'a [Region],
    /// The files the findings point into.
    pub sources: &'a Sources,
    /// How it is to be printed.
    pub layout: Layout,
}

/// What formats need to know besides what was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The project's root, which paths for code hosts are relative to: absolute and resolved.
    pub root: PathBuf,
    /// Columns of the terminal that is printed to; `None` if it is none.
    pub width: Option<usize>,
    /// What tells this analysis apart from others of the same commit, for code scanning.
    pub category: String,
    /// Findings that something keeps quiet are to be in SARIF, marked as such.
    pub with_silenced: bool,
    /// Only findings are to be printed, without a summary.
    pub quiet: bool,
}

impl Report<'_> {
    /// The findings that nothing keeps quiet.
    pub fn loud(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|one| one.silenced.is_none()).map(|one| &one.finding)
    }
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
pub const FORMATS: &[Format] = &[
    text::FORMAT,
    concise::FORMAT,
    json::FORMAT,
    jsonl::FORMAT,
    sarif::FORMAT,
    html::FORMAT,
    github::FORMAT,
    gitlab::FORMAT,
    junit::FORMAT,
    checkstyle::FORMAT,
];

/// The display path of a place's file.
fn path_of(sources: &Sources, at: Span) -> String {
    display_path(&sources.file(at.file).path)
}

/// The place of a span's first line: path, line, column and the column past its last character there.
fn first_line(report: &Report<'_>, at: Span) -> Line {
    let file = report.sources.file(at.file);
    let start = file.line_column(at.start);
    let index = start.line as usize - 1;
    let line_end = (file.line_start(index) + file.line_text(index).len()) as u32;
    let end = file.line_column(at.end.min(line_end).max(at.start)).column;
    Line { path: file.path.clone(), line: start.line, column: start.column, end }
}

/// A place on one line.
struct Line {
    path: PathBuf,
    /// From 1.
    line: u32,
    /// From 1, in Unicode scalar values.
    column: u32,
    /// One past the last column.
    end: u32,
}

impl Line {
    /// The path as code hosts want it.
    fn path(&self, root: &Path) -> String {
        paths::below(&self.path, root)
    }
}
