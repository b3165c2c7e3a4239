//! Output formats for findings, one file each.
//!
//! In: a [`Report`] with findings, problems and the summary of a run. Out: text for people or for programs. Knows
//! findings, sources, targets and the cards of rules; nothing about how the analysis works.
//!
//! To add a format, add a file with a `FORMAT` and a row in [`FORMATS`]: help, documentation and tests use that
//! table.

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

/// The result of a run, ready to be printed.
#[derive(Debug)]
pub struct Report<'a> {
    /// The findings in the order in which they are printed, including suppressed ones.
    pub findings: &'a [Reported],
    /// Problems of the run: what could not be read or analysed.
    pub problems: Vec<Problem>,
    /// Counts, and what was left out.
    pub summary: Summary,
    /// Which passes see which lines, for the files with findings.
    pub regions: &'a [Region],
    /// The source files.
    pub sources: &'a Sources,
    /// Settings of the output.
    pub layout: Layout,
}

/// Settings of the output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The project's root, absolute and resolved: paths for code hosts are relative to it.
    pub root: PathBuf,
    /// The terminal's width in columns; `None` if the output is not a terminal.
    pub width: Option<usize>,
    /// The category in SARIF, which distinguishes several analyses of one commit for code scanning.
    pub category: String,
    /// Whether SARIF contains suppressed findings, marked as such.
    pub with_silenced: bool,
    /// Whether only findings are printed, without a summary.
    pub quiet: bool,
}

impl Report<'_> {
    /// The findings that are not suppressed.
    pub fn unsuppressed(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|one| one.silenced.is_none()).map(|one| &one.finding)
    }
}

/// Something that could not be read or analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file it concerns.
    pub path: PathBuf,
    /// The reason: one sentence in lower case without a full stop.
    pub message: String,
    /// The place; `None` if it concerns the whole file.
    pub at: Option<Span>,
    /// Whether something was left unanalysed because of it.
    pub incomplete: bool,
}

/// An output format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name for `--format`.
    pub name: &'static str,
    /// One line for the help text.
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

/// The path, as it is displayed, of a place's file.
fn path_of(sources: &Sources, at: Span) -> String {
    display_path(&sources.file(at.file).path)
}

/// The path, line and columns of a span's first line.
fn first_line(report: &Report<'_>, at: Span) -> Line {
    let file = report.sources.file(at.file);
    let start = file.line_column(at.start);
    let index = start.line as usize - 1;
    let line_end = (file.line_start(index) + file.line_text(index).len()) as u32;
    let end = file.line_column(at.end.min(line_end).max(at.start)).column;
    Line { path: file.path.clone(), line: start.line, column: start.column, end }
}

/// A range of columns on one line.
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
    /// The path in the form that code hosts need.
    fn path(&self, root: &Path) -> String {
        paths::below(&self.path, root)
    }
}
