//! Findings for programs, one JSON object per line: each finding, then each problem, then each unresolved
//! mention, and last the run. The fields are those of the JSON report, with the same promise about `version`.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use serde::Serialize;

use crate::finding::Reported;
use crate::source::Sources;

use super::json::{JsonProblem, JsonReported, JsonRun, problem, reported, run};
use super::{Format, Report};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    about: "For programs: one object per line, with a schema",
    write,
    line: Some(line),
};

/// A line of the output.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum JsonLine {
    /// The last line: the program, what it analysed, and counts.
    Run(JsonRun),
    /// A finding; those of a unit by path, place and rule.
    Finding(Box<JsonReported>),
    /// A problem of the run.
    Problem(JsonProblem),
    /// A mention of a kernel template of which it is not known what it instantiates.
    Unresolved(JsonProblem),
}

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    for one in report.findings.iter().filter(|one| !report.layout.printed.has(&one.finding)) {
        out.write_all(line(report.sources, one).as_bytes())?;
    }
    for one in &report.problems {
        out.write_all(text(&JsonLine::Problem(problem(report.sources, one))).as_bytes())?;
    }
    for one in &report.unresolved {
        out.write_all(text(&JsonLine::Unresolved(problem(report.sources, one))).as_bytes())?;
    }
    out.write_all(text(&JsonLine::Run(run(report))).as_bytes())?;
    out.flush()
}

/// The line of a finding.
fn line(sources: &Sources, one: &Reported) -> String {
    text(&JsonLine::Finding(Box::new(reported(sources, one))))
}

fn text(line: &JsonLine) -> String {
    serde_json::to_string(line).expect("strings and numbers can be written") + "\n"
}
