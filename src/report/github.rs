//! GitHub Actions' workflow commands, which it shows as annotations of a commit or pull request.
//!
//! GitHub shows ten errors, ten warnings and ten notices of a step as annotations, so the most severe findings are
//! printed first. The log has all of them.

use std::cmp::Reverse;
use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::{Finding, Level};

use super::excerpt::harmless;
use super::{Format, Line, Problem, Report, first_line, paths};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "github", about: "For GitHub Actions: annotations of the commit", write, line: None };

/// The number of annotations of one level that GitHub shows for a step.
const SHOWN: usize = 10;

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let mut findings: Vec<&Finding> = report.unsuppressed().collect();
    findings.sort_by_key(|finding| Reverse(finding.level));
    for finding in &findings {
        let at = first_line(report.sources, finding.primary.at);
        let text = [std::slice::from_ref(&finding.message), &finding.consequences].concat().join("\n");
        command(out, report, name(finding.level), Some(&at), finding.rule, &text)?;
    }
    for problem in &report.problems {
        let level = if problem.incomplete { "error" } else { "warning" };
        let at = problem.at.map(|at| first_line(report.sources, at));
        command(out, report, level, at.as_ref(), "analysis", &text_of(report, problem))?;
    }
    if [Level::Error, Level::Warning, Level::Note]
        .iter()
        .any(|level| findings.iter().filter(|finding| finding.level == *level).count() > SHOWN)
    {
        writeln!(out, "GitHub shows {SHOWN} annotations of each level; all {} are above.", findings.len())?;
    }
    writeln!(out, "{}", data(&report.summary.to_string()))?;
    out.flush()
}

fn text_of(report: &Report<'_>, problem: &Problem) -> String {
    match problem.at {
        Some(_) => problem.message.clone(),
        None => format!("{}: {}", paths::below(&problem.path, &report.layout.root), problem.message),
    }
}

fn name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

fn command(
    out: &mut dyn WriteColor,
    report: &Report<'_>,
    level: &str,
    at: Option<&Line>,
    title: &str,
    text: &str,
) -> io::Result<()> {
    write!(out, "::{level} ")?;
    if let Some(at) = at {
        let path = property(&at.path(&report.layout.root));
        write!(out, "file={path},line={},col={},endColumn={},", at.line, at.column, at.end)?;
    }
    writeln!(out, "title={}::{}", property(title), data(text))
}

/// Escapes a text for the data part of a command.
fn data(text: &str) -> String {
    harmless(&text.replace('\r', " ")).replace('%', "%25").replace('\n', "%0A")
}

/// Escapes a text for a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_the_command_it_stands_in() {
        assert_eq!(property("a,b::c\r\n%\u{1b}"), "a%2Cb%3A%3Ac %0A%25?");
    }
}
