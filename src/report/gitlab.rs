//! GitLab's code quality report, a JSON array (docs.gitlab.com/ci/testing/code_quality, "Code Quality report
//! format").

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use serde::Serialize;

use crate::finding::{Level, Reported};

use super::{Format, Report, first_line};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "gitlab", about: "For GitLab: a code quality report", write, line: None };

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

fn write(report: &Report<'_>, mut out: &mut dyn WriteColor) -> io::Result<()> {
    let unsuppressed = report.findings.iter().filter(|one| one.suppression.is_none());
    let issues: Vec<Issue> = unsuppressed.map(|one| issue(report, one)).collect();
    serde_json::to_writer_pretty(&mut out, &issues).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()
}

fn issue(report: &Report<'_>, one: &Reported) -> Issue {
    let at = first_line(report.sources, one.finding.primary.at);
    Issue {
        description: one.finding.message.clone(),
        check_name: one.finding.rule,
        fingerprint: one.fingerprint.clone(),
        severity: match one.finding.level {
            Level::Error => "major",
            Level::Warning => "minor",
            Level::Note => "info",
        },
        location: Location {
            path: at.path(&report.layout.root),
            lines: Lines { begin: at.line, end: at.line },
        },
    }
}
