//! Findings for programs, one JSON object per line: first the run, then each finding, then each problem, then each unresolved mention. The fields
//! are those of the JSON report, with the same promise about `version`.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use serde::Serialize;

use super::json::{JsonProblem, JsonReported, JsonRun, problem, reported, run};
use super::{Format, Report};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "jsonl", about: "For programs: one object per line, with a schema", write };

/// A line of the output.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum JsonLine {
    /// The first line: the program, what it analysed, and counts.
    Run(JsonRun),
    /// A finding, by path, place and rule.
    Finding(Box<JsonReported>),
    /// A problem of the run.
    Problem(JsonProblem),
    /// A mention of a kernel template of which it is not known what it instantiates.
    Unresolved(JsonProblem),
}

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    line(out, &JsonLine::Run(run(report)))?;
    for one in report.findings {
        line(out, &JsonLine::Finding(Box::new(reported(report.sources, one))))?;
    }
    for one in &report.problems {
        line(out, &JsonLine::Problem(problem(report.sources, one)))?;
    }
    for one in &report.unresolved {
        line(out, &JsonLine::Unresolved(problem(report.sources, one)))?;
    }
    out.flush()
}

fn line(mut out: &mut dyn WriteColor, line: &JsonLine) -> io::Result<()> {
    serde_json::to_writer(&mut out, line).map_err(io::Error::from)?;
    out.write_all(b"\n")
}
