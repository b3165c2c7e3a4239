//! One line per finding, as compilers print: terminals and editors turn `file:line:column` into a link.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use super::excerpt::harmless_line;
use super::gathered::most_severe_first;
use super::{Format, Report, display_path, first_line, overview};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "concise", about: "One line per finding: file:line:column: rule: message", write };

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    for reported in most_severe_first(report) {
        let finding = &reported.finding;
        let at = first_line(report, finding.primary.at);
        let path = harmless_line(&display_path(&at.path));
        let message = harmless_line(&finding.message);
        writeln!(out, "{path}:{}:{}: {}: {message}", at.line, at.column, finding.rule)?;
    }
    for problem in &overview::folded(report) {
        let kind = if problem.incomplete { "error" } else { "warning" };
        let place = match problem.at.map(|at| first_line(report, at)) {
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
