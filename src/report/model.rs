//! The contents of a report, and the trait of its formats.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use codespan_reporting::term::termcolor::WriteColor;

use crate::catalog::Catalog;
use crate::finding::{Finding, Region, Reported};
use crate::source::{Sources, Span};

use super::summary::Summary;

/// The result of a run, ready to be printed.
#[derive(Debug)]
pub struct Report<'a> {
    /// The findings in the order in which they are printed, including suppressed ones.
    pub findings: &'a [Reported],
    /// Problems of the run: what could not be read or analysed.
    pub problems: Vec<Problem>,
    /// Mentions of kernel templates of which it is not known what they instantiate.
    pub unresolved: Vec<Problem>,
    /// Counts, and what was left out.
    pub summary: Summary,
    /// Which passes see which lines, for the files with findings.
    pub regions: &'a [Region],
    /// The source files.
    pub sources: &'a Sources,
    /// The rules that there are.
    pub rules: &'a Catalog,
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
    pub with_suppressed: bool,
    /// Whether only findings are printed, without a summary.
    pub quiet: bool,
    /// Whether names of files are links (OSC 8), which a terminal shows.
    pub links: bool,
    /// The findings that were printed while the run went on.
    pub printed: Printed,
}

/// Findings that were printed already, by rule, entity and place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Printed(BTreeSet<(&'static str, String, Span)>);

impl Printed {
    /// Adds a finding. Whether it is new.
    pub fn add(&mut self, finding: &Finding) -> bool {
        self.0.insert((finding.rule, finding.entity.clone(), finding.primary.at))
    }

    /// Whether it has the finding.
    pub fn has(&self, finding: &Finding) -> bool {
        !self.0.is_empty() && self.0.contains(&(finding.rule, finding.entity.clone(), finding.primary.at))
    }
}

impl Report<'_> {
    /// The findings that are not suppressed.
    pub fn unsuppressed(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|one| one.suppression.is_none()).map(|one| &one.finding)
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
    /// Prints the report, without the findings that [`Layout::printed`] has if it prints some before the end.
    pub write: fn(&Report<'_>, &mut dyn WriteColor) -> io::Result<()>,
    /// The line of one finding, in a format of lines, which are printed while the run goes on; it is empty for a suppressed
    /// finding that the format leaves out.
    pub line: Option<fn(&Sources, &Reported) -> String>,
}
