//! One line per finding, as compilers print: terminals and editors turn `file:line:column` into a link.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::Reported;
use crate::source::Sources;

use super::excerpt::harmless_line;
use super::{Format, Report, display_path, first_line, overview};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format = Format {
    name: "concise",
    about: "One line per finding: file:line:column: rule: message",
    write,
    line: Some(line),
};

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    for reported in report.findings.iter().filter(|one| !report.layout.printed.has(&one.finding)) {
        out.write_all(line(report.sources, reported).as_bytes())?;
    }
    for problem in &overview::folded(report) {
        let kind = if problem.incomplete { "error" } else { "warning" };
        let place = match problem.at.map(|at| first_line(report.sources, at)) {
            Some(at) => format!("{}:{}:{}", display_path(&at.path), at.line, at.column),
            None => display_path(&problem.path),
        };
        writeln!(out, "{}: {kind}: {}", harmless_line(&place), harmless_line(&problem.message))?;
    }
    if !report.layout.quiet {
        writeln!(out, "{}", report.summary)?;
    }
    out.flush()
}

fn line(sources: &Sources, reported: &Reported) -> String {
    if reported.suppression.is_some() {
        return String::new();
    }
    let finding = &reported.finding;
    let at = first_line(sources, finding.primary.at);
    let path = harmless_line(&display_path(&at.path));
    format!("{path}:{}:{}: {}: {}\n", at.line, at.column, finding.rule, harmless_line(&finding.message))
}
