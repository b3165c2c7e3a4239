//! Findings for programs: one JSON object.
//!
//! `schemas/report.schema.json` describes it. The order of fields, findings and lists is stable. A later `version` may add fields; it changes
//! when a field changes its meaning or goes.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use schemars::JsonSchema;
use serde::Serialize;

use crate::finding::{Certainty, Deciding, Derived, Finding, Label, Level, Reported, Silenced, View};
use crate::source::{Sources, Span};
use crate::target::Passes;

use super::{Format, Problem, Report, Summary, Targets, display_path, path_of};

/// The format's row.
pub(super) const FORMAT: Format =
    Format { name: "json", about: "For programs: one object, documented", write };

/// The layout's version.
const VERSION: u32 = 1;

fn write(report: &Report<'_>, mut out: &mut dyn WriteColor) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &document(report)).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The whole output.
#[derive(Serialize, JsonSchema)]
pub struct JsonReport {
    /// What ran and what it looked at.
    #[serde(flatten)]
    run: JsonRun,
    /// The findings, by path, place and rule; those that something keeps quiet included.
    findings: Vec<JsonReported>,
    /// What could not be done.
    problems: Vec<JsonProblem>,
}

/// What ran and what it looked at.
#[derive(Serialize, JsonSchema)]
pub struct JsonRun {
    /// The layout's version.
    version: u32,
    /// What wrote it.
    tool: Tool,
    /// Every different set of targets among the units, the commonest first.
    targets: Vec<JsonTargets>,
    /// What was looked at and what came of it.
    summary: JsonSummary,
}

/// The program.
#[derive(Serialize, JsonSchema)]
struct Tool {
    /// `cuda-arch-lint`.
    name: &'static str,
    /// Its version.
    version: &'static str,
}

/// Targets and where they were read.
#[derive(Serialize, JsonSchema)]
struct JsonTargets {
    /// `sm_80`, `sm_90a`.
    names: Vec<String>,
    /// `--arch`, a database's path, or `the default`.
    origin: String,
    /// How many units have them.
    units: usize,
}

/// Numbers.
#[derive(Serialize, JsonSchema)]
struct JsonSummary {
    /// All findings that nothing keeps quiet.
    findings: usize,
    /// Findings that are errors.
    errors: usize,
    /// Findings that are warnings.
    warnings: usize,
    /// Findings that are notes.
    notes: usize,
    /// Different files read.
    files: usize,
    /// Translation units analysed.
    units: usize,
    /// Findings that a comment in the source keeps quiet.
    allowed: usize,
    /// Findings that the baseline has.
    baselined: usize,
    /// Findings of the baseline that are there no more.
    fixed: usize,
    /// Findings that the change asked about (`--diff`) has nothing to do with; they are not in `findings`.
    elsewhere: usize,
    /// Findings over the number that was asked for (`--max-findings`); they are not in `findings`.
    left_out: usize,
    /// Headers that were not found, as spelled with their quotes or brackets, sorted.
    missing_headers: Vec<String>,
    /// Something was left unanalysed: silence about it means nothing (exit code 3).
    incomplete: bool,
}

/// A finding of a report.
#[derive(Serialize, JsonSchema)]
pub struct JsonReported {
    /// The finding.
    #[serde(flatten)]
    finding: JsonFinding,
    /// What tells it apart from others when lines move and files are renamed.
    fingerprint: String,
    /// What keeps it quiet; `null` if nothing does.
    silenced: Option<JsonSilenced>,
}

/// What keeps a finding quiet.
#[derive(Serialize, JsonSchema)]
struct JsonSilenced {
    /// Where that is said.
    by: Silencer,
    /// Why, if it says.
    reason: Option<String>,
}

/// Where a finding is kept quiet.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Silencer {
    /// In a comment.
    Source,
    /// In the baseline.
    Baseline,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
pub struct JsonFinding {
    /// The rule's id.
    rule: &'static str,
    /// `error`, `warning` or `note`.
    level: Level,
    /// `definite` or `likely`.
    certainty: Certainty,
    /// The fact with both sides, one line.
    message: String,
    /// The qualified name of what differs.
    entity: String,
    /// The code to change.
    #[serde(flatten)]
    at: Place,
    /// What is there, a phrase.
    label: String,
    /// What each class of passes sees, the host's first.
    sides: Vec<Side>,
    /// The conditional behind it; `null` where none was found.
    deciding: Option<JsonDeciding>,
    /// Other sides, uses, instantiation sites.
    related: Vec<Related>,
    /// What happens on which GPUs, one sentence each.
    consequences: Vec<String>,
    /// The restriction it breaks, and how to mend it.
    notes: Vec<String>,
}

/// A place in a file.
#[derive(Serialize, JsonSchema)]
struct Place {
    /// The file, relative to the working directory when below it.
    path: String,
    /// The first character.
    start: Position,
    /// One past the last character.
    end: Position,
}

/// A position in a file.
#[derive(Serialize, JsonSchema)]
struct Position {
    /// From 1.
    line: u32,
    /// From 1, in Unicode scalar values.
    column: u32,
    /// From 0, in bytes of the file's text (each invalid UTF-8 sequence counting three).
    offset: u32,
}

/// What one class of passes sees.
#[derive(Serialize, JsonSchema)]
struct Side {
    /// `host`, `sm_80`.
    passes: Vec<String>,
    /// A type, a definition, `no definition`.
    sees: String,
}

/// The conditional that decides.
#[derive(Serialize, JsonSchema)]
struct JsonDeciding {
    /// The directive's place.
    #[serde(flatten)]
    at: Place,
    /// The directive as written.
    text: String,
    /// From the directive back to the macro nvcc predefines.
    derivation: Vec<JsonStep>,
}

/// One step of a derivation.
#[derive(Serialize, JsonSchema)]
struct JsonStep {
    /// A directive, a definition, or a predefined macro's name.
    text: String,
    /// Its place; `null` for a predefined macro.
    at: Option<Place>,
    /// The passes that enter or define it.
    passes: Vec<String>,
}

/// Another place.
#[derive(Serialize, JsonSchema)]
struct Related {
    /// Where.
    #[serde(flatten)]
    at: Place,
    /// What is there, a phrase.
    label: String,
}

/// Something the run could not do.
#[derive(Serialize, JsonSchema)]
pub struct JsonProblem {
    /// The file it concerns.
    path: String,
    /// What is wrong.
    message: String,
    /// Where; `null` if it concerns the file as a whole.
    at: Option<Place>,
    /// Something was left unanalysed because of it.
    incomplete: bool,
}

fn document(report: &Report<'_>) -> JsonReport {
    JsonReport {
        run: run(report),
        findings: report.findings.iter().map(|one| reported(report.sources, one)).collect(),
        problems: report.problems.iter().map(|trouble| problem(report.sources, trouble)).collect(),
    }
}

/// What ran and what it looked at.
pub(super) fn run(report: &Report<'_>) -> JsonRun {
    JsonRun {
        version: VERSION,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        targets: report.summary.targets.iter().map(targets).collect(),
        summary: summary(&report.summary),
    }
}

/// A finding with what the run knows of it.
pub(super) fn reported(sources: &Sources, one: &Reported) -> JsonReported {
    let reason = |reason: &String| (!reason.is_empty()).then(|| reason.clone());
    JsonReported {
        finding: finding(sources, &one.finding),
        fingerprint: one.fingerprint.clone(),
        silenced: one.silenced.as_ref().map(|silenced| match silenced {
            Silenced::Source(text) => JsonSilenced { by: Silencer::Source, reason: reason(text) },
            Silenced::Baseline => JsonSilenced { by: Silencer::Baseline, reason: None },
        }),
    }
}

fn targets(targets: &Targets) -> JsonTargets {
    JsonTargets { names: targets.names.clone(), origin: targets.origin.clone(), units: targets.units }
}

fn summary(summary: &Summary) -> JsonSummary {
    JsonSummary {
        findings: summary.findings(),
        errors: summary.errors,
        warnings: summary.warnings,
        notes: summary.notes,
        files: summary.files,
        units: summary.units,
        allowed: summary.allowed,
        baselined: summary.baselined,
        fixed: summary.fixed.len(),
        elsewhere: summary.elsewhere,
        left_out: summary.left_out,
        missing_headers: summary.missing_headers.clone(),
        incomplete: summary.incomplete,
    }
}

/// A finding as the JSON report has it.
pub fn finding(sources: &Sources, finding: &Finding) -> JsonFinding {
    let passes = &finding.passes;
    JsonFinding {
        rule: finding.rule,
        level: finding.level,
        certainty: finding.certainty,
        message: finding.message.clone(),
        entity: finding.entity.clone(),
        at: place(sources, finding.primary.at),
        label: finding.primary.text.clone(),
        sides: finding.views.iter().map(|view| side(passes, view)).collect(),
        deciding: finding.deciding.as_ref().map(|deciding| decides(sources, passes, deciding)),
        related: finding.related.iter().map(|label| related(sources, label)).collect(),
        consequences: finding.consequences.clone(),
        notes: finding.notes.clone(),
    }
}

fn side(passes: &Passes, view: &View) -> Side {
    Side { passes: passes.names(view.passes), sees: view.sees.clone() }
}

fn decides(sources: &Sources, passes: &Passes, deciding: &Deciding) -> JsonDeciding {
    JsonDeciding {
        at: place(sources, deciding.at),
        text: deciding.text.clone(),
        derivation: deciding.derivation.iter().map(|derived| step(sources, passes, derived)).collect(),
    }
}

fn step(sources: &Sources, passes: &Passes, step: &Derived) -> JsonStep {
    JsonStep {
        text: step.text.clone(),
        at: step.at.map(|at| place(sources, at)),
        passes: passes.names(step.passes),
    }
}

fn related(sources: &Sources, label: &Label) -> Related {
    Related { at: place(sources, label.at), label: label.text.clone() }
}

pub(super) fn problem(sources: &Sources, problem: &Problem) -> JsonProblem {
    JsonProblem {
        path: display_path(&problem.path),
        message: problem.message.clone(),
        at: problem.at.map(|at| place(sources, at)),
        incomplete: problem.incomplete,
    }
}

fn place(sources: &Sources, at: Span) -> Place {
    Place {
        path: path_of(sources, at),
        start: position(sources, at, at.start),
        end: position(sources, at, at.end),
    }
}

fn position(sources: &Sources, at: Span, offset: u32) -> Position {
    let found = sources.file(at.file).line_column(offset);
    Position { line: found.line, column: found.column, offset }
}
