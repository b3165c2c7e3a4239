//! Findings for programs: one JSON object.
//!
//! `schemas/report.schema.json` describes it. The order of fields, findings and lists is stable. Fields may be added
//! without a new `version`; it changes when a field changes its meaning or is removed.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use schemars::JsonSchema;
use serde::Serialize;

use crate::finding::{
    Applicability, Certainty, Deciding, Derived, Edit, Finding, Fix, Label, Level, Reported, Suppression,
    Verdict, View,
};
use crate::source::{Sources, Span};
use crate::target::Passes;

use super::{Format, Problem, Report, Summary, Targets, display_path, path_of, replaced};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "json", about: "For programs: one object, with a schema", write, line: None };

/// The version of the layout.
const VERSION: u32 = 1;

fn write(report: &Report<'_>, mut out: &mut dyn WriteColor) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &document(report)).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The whole document.
#[derive(Serialize, JsonSchema)]
pub struct JsonReport {
    /// The program, and what it analysed.
    #[serde(flatten)]
    run: JsonRun,
    /// The findings, by path, place and rule, including suppressed ones.
    findings: Vec<JsonReported>,
    /// Problems of the run: what could not be read or analysed.
    problems: Vec<JsonProblem>,
    /// Mentions of kernel templates of which it is not known what they instantiate, though nothing about them differs
    /// between passes.
    unresolved: Vec<JsonProblem>,
}

/// The program, and what it analysed.
#[derive(Serialize, JsonSchema)]
pub struct JsonRun {
    /// The version of the layout.
    version: u32,
    /// The program that wrote the report.
    tool: Tool,
    /// Every distinct list of targets among the units, the most frequent first.
    targets: Vec<Targets>,
    /// Counts, and what was left out.
    summary: JsonSummary,
}

/// The program that wrote the report.
#[derive(Serialize, JsonSchema)]
struct Tool {
    /// `cuda-arch-lint`.
    name: &'static str,
    /// Its version.
    version: &'static str,
}

/// Counts, and what was left out.
#[derive(Serialize, JsonSchema)]
struct JsonSummary {
    /// Findings that are not suppressed.
    findings: usize,
    /// Findings that are errors.
    errors: usize,
    /// Findings that are warnings.
    warnings: usize,
    /// Findings that are notes.
    notes: usize,
    /// Distinct files read.
    files: usize,
    /// Translation units analysed.
    units: usize,
    /// Findings that a comment in the source suppresses.
    allowed: usize,
    /// Findings that the baseline suppresses.
    baselined: usize,
    /// Findings of the baseline that no longer occur.
    fixed: usize,
    /// Findings that the change in question (`--diff`) neither touches nor causes; they are not in `findings`.
    elsewhere: usize,
    /// Findings beyond the limit of `--max-findings`; they are not in `findings`.
    left_out: usize,
    /// Findings with a safe fix; `null` if no fixes were tried (`--show-fixes` tries all).
    fixable: Option<usize>,
    /// Other findings, with suggested fixes alone; `null` if no fixes were tried.
    suggested: Option<usize>,
    /// Headers that were not found, as spelled in the directive with quotes or brackets, sorted.
    missing_headers: Vec<String>,
    /// Something could not be analysed: the absence of findings there proves nothing (exit code 3).
    incomplete: bool,
}

/// A finding of a report.
#[derive(Serialize, JsonSchema)]
pub struct JsonReported {
    /// The finding.
    #[serde(flatten)]
    finding: JsonFinding,
    /// Identifies the finding across runs: it stays the same when lines move and files are renamed.
    fingerprint: String,
    /// The suppression that applies; `null` if there is none.
    suppression: Option<JsonSuppression>,
    /// What was built says of it (`--built`); `null` if nothing was asked.
    built: Option<JsonProof>,
    /// The fixes, safe ones first; `null` if none were tried (`--show-fixes`).
    fixes: Option<Vec<JsonFix>>,
}

/// What was built says of a finding.
#[derive(Serialize, JsonSchema)]
struct JsonProof {
    /// Whether it bears the finding out.
    verdict: Verdict,
    /// What that rests on.
    reason: String,
}

/// A fix: the edited text was analysed, and the finding was gone and no other was new.
#[derive(Serialize, JsonSchema)]
struct JsonFix {
    /// `test`, `body`, `stub`, `lift`, `list`, `mention` or `instruction`.
    kind: &'static str,
    /// Whether `--fix` applies it.
    applicability: Applicability,
    /// A sentence without a full stop.
    title: String,
    /// The replacements of text, by path and place; none overlaps another.
    edits: Vec<JsonEdit>,
}

/// A replacement of text.
#[derive(Serialize, JsonSchema)]
struct JsonEdit {
    /// The text that is replaced; for an insertion, an empty one.
    #[serde(flatten)]
    at: Place,
    /// The text that stands there then.
    text: String,
}

/// A suppression.
#[derive(Serialize, JsonSchema)]
struct JsonSuppression {
    /// Its kind.
    by: Suppressor,
    /// Its reason, if one is given.
    reason: Option<String>,
}

/// The kinds of suppressions.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Suppressor {
    /// A comment in the source.
    Source,
    /// An entry of the baseline.
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
    /// The message: one line that states what both sides see.
    message: String,
    /// The qualified name of the entity that differs.
    entity: String,
    /// The code to change.
    #[serde(flatten)]
    at: Place,
    /// A phrase about that place.
    label: String,
    /// The sides: an entry for each group of passes that see the same, the host's first.
    sides: Vec<Side>,
    /// The conditional that makes the passes differ; `null` if none was found.
    deciding: Option<JsonDeciding>,
    /// The instances of a template that differ alike, the first of which the message is about; empty if the entity is none.
    instances: Vec<Related>,
    /// Related places: other sides, uses, instantiations.
    related: Vec<Related>,
    /// The consequences at run time, one sentence each.
    consequences: Vec<String>,
    /// The restriction that is violated, and how to fix it.
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

/// The entity as one group of passes sees it.
#[derive(Serialize, JsonSchema)]
struct Side {
    /// `host`, `sm_80`.
    passes: Vec<String>,
    /// A type, a definition, `no definition`.
    sees: String,
}

/// The conditional that makes the passes differ.
#[derive(Serialize, JsonSchema)]
struct JsonDeciding {
    /// The directive's place.
    #[serde(flatten)]
    at: Place,
    /// The directive as written.
    text: String,
    /// The steps from the directive back to the predefined macro.
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

/// A related place.
#[derive(Serialize, JsonSchema)]
struct Related {
    /// The place.
    #[serde(flatten)]
    at: Place,
    /// A phrase about it.
    label: String,
}

/// A problem of the run: something that could not be read or analysed.
#[derive(Serialize, JsonSchema)]
pub struct JsonProblem {
    /// The file it concerns.
    path: String,
    /// The reason.
    message: String,
    /// The place; `null` if it concerns the whole file.
    at: Option<Place>,
    /// Whether something was left unanalysed because of it.
    incomplete: bool,
}

fn document(report: &Report<'_>) -> JsonReport {
    JsonReport {
        run: run(report),
        findings: report.findings.iter().map(|one| reported(report.sources, one)).collect(),
        problems: report.problems.iter().map(|trouble| problem(report.sources, trouble)).collect(),
        unresolved: report.unresolved.iter().map(|one| problem(report.sources, one)).collect(),
    }
}

/// The part about the run.
pub(super) fn run(report: &Report<'_>) -> JsonRun {
    JsonRun {
        version: VERSION,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        targets: report.summary.targets.clone(),
        summary: summary(&report.summary),
    }
}

/// A finding with its fingerprint and suppression.
pub(super) fn reported(sources: &Sources, one: &Reported) -> JsonReported {
    let reason = |reason: &String| (!reason.is_empty()).then(|| reason.clone());
    JsonReported {
        finding: finding(sources, &one.finding),
        fingerprint: one.fingerprint.clone(),
        suppression: one.suppression.as_ref().map(|suppression| match suppression {
            Suppression::Source(text) => JsonSuppression { by: Suppressor::Source, reason: reason(text) },
            Suppression::Baseline => JsonSuppression { by: Suppressor::Baseline, reason: None },
        }),
        built: one
            .proof
            .as_ref()
            .map(|proof| JsonProof { verdict: proof.verdict, reason: proof.reason.clone() }),
        fixes: one.fixes.as_ref().map(|fixes| fixes.iter().map(|fix| json_fix(sources, fix)).collect()),
    }
}

fn json_fix(sources: &Sources, fix: &Fix) -> JsonFix {
    let edit = |edit: &Edit| {
        let at = place(sources, replaced(sources, edit)?);
        Some(JsonEdit { at, text: edit.text.clone() })
    };
    JsonFix {
        kind: fix.kind.name(),
        applicability: fix.applicability,
        title: fix.title.clone(),
        edits: fix.edits.iter().filter_map(edit).collect(),
    }
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
        fixable: summary.fixable.map(|fixable| fixable.safe),
        suggested: summary.fixable.map(|fixable| fixable.suggested),
        missing_headers: summary.missing_headers.clone(),
        incomplete: summary.incomplete,
    }
}

/// A finding in the form of the JSON report.
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
        instances: finding.instances.iter().map(|label| related(sources, label)).collect(),
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
