//! Findings for people in a terminal: source excerpts, and what each pass sees.

use std::io;

use codespan_reporting::diagnostic::{Diagnostic, Label, LabelStyle, Severity};
use codespan_reporting::files::Error;
use codespan_reporting::term::termcolor::WriteColor;
use codespan_reporting::term::{Chars, Config, emit_to_write_style};

use crate::finding::{Certainty, Deciding, Derived, Finding, Fix, Level, View};
use crate::source::{FileId, Span};
use crate::target::{PassSet, Passes};

use super::excerpt::{Excerpts, HarmlessTexts, Links, harmless};
use super::gathered::{Gathered, gathered};
use super::{Format, Problem, Report, display_path, overview, path_of};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "text", about: "For people: excerpts, and what each pass sees", write, line: None };

/// The heading of the table of passes.
const VIEWS: &str = "what each pass sees:";
/// The heading of the fixes.
const FIXES: &str = "fixes:";
/// The heading of the derivation.
const DERIVATION: &str = "why the passes differ:";

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let texts = HarmlessTexts::default();
    for one in gathered(report) {
        let (excerpts, mut diagnostic) = finding_diagnostic(report, &texts, &one);
        if let Some(fixes) = one.first.fixes.as_ref().filter(|fixes| !fixes.is_empty()) {
            diagnostic.notes.push(harmless(&fixes_note(fixes)));
        }
        emit(out, &excerpts, &diagnostic)?;
    }
    for problem in &overview::folded(report) {
        let severity = if problem.incomplete { Severity::Error } else { Severity::Warning };
        let (excerpts, diagnostic) = problem_diagnostic(report, &texts, problem, severity);
        emit(out, &excerpts, &diagnostic)?;
    }
    overview::write_incomplete(report, out)?;
    if report.summary.verbose {
        for one in &report.unresolved {
            let (excerpts, diagnostic) = problem_diagnostic(report, &texts, one, Severity::Note);
            emit(out, &excerpts, &diagnostic)?;
        }
        for header in &report.summary.missing_headers {
            writeln!(out, "note: header {} not found", harmless(header))?;
        }
        for name in &report.summary.undefined_macros {
            writeln!(out, "note: a condition uses `{name}`, which none of the headers found defines")?;
        }
        for fixed in &report.summary.fixed {
            writeln!(out, "note: fixed, and still in the baseline: {}", harmless(fixed))?;
        }
    }
    if !report.layout.quiet {
        overview::write(report, out)?;
        writeln!(out, "{}", report.summary)?;
    }
    out.flush()
}

fn emit(
    mut out: &mut dyn WriteColor,
    excerpts: &Excerpts,
    diagnostic: &Diagnostic<FileId>,
) -> io::Result<()> {
    // The same border characters on every platform, so that output does not depend on it.
    let config = Config { chars: Chars::box_drawing(), ..Config::default() };
    emit_to_write_style(&mut out, &config, excerpts, diagnostic).map_err(|error| match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    })?;
    Ok(())
}

/// A finding as codespan's diagnostic, with the files it points into.
fn finding_diagnostic(
    report: &Report<'_>,
    texts: &HarmlessTexts,
    one: &Gathered<'_>,
) -> (Excerpts, Diagnostic<FileId>) {
    let finding = &one.first.finding;
    let mut labels = Labels::new(report, texts);
    labels.add(report, LabelStyle::Primary, finding.primary.at, &finding.primary.text);
    for related in &finding.related {
        labels.add(report, LabelStyle::Secondary, related.at, &related.text);
    }
    if let Some(deciding) = &finding.deciding {
        labels.add(report, LabelStyle::Secondary, deciding.at, &decides(deciding, &finding.passes));
    }
    for other in one.others.iter().take(MORE_PLACES) {
        labels.add(report, LabelStyle::Secondary, *other, "and here");
    }
    let diagnostic = Diagnostic::new(severity(finding.level))
        .with_code(finding.rule)
        .with_message(harmless(&finding.message))
        .with_labels(labels.list)
        .with_notes(notes(report, one).iter().map(|note| harmless(note)).collect());
    (labels.excerpts, diagnostic)
}

/// Labels, and the excerpts of their files.
struct Labels<'a> {
    texts: &'a HarmlessTexts,
    excerpts: Excerpts,
    list: Vec<Label<FileId>>,
}

impl Labels<'_> {
    fn new<'a>(report: &Report<'_>, texts: &'a HarmlessTexts) -> Labels<'a> {
        let links = if report.layout.links { Links::Shown } else { Links::Plain };
        let room = report.layout.width.map_or(LONG_LINE, |width| width.saturating_sub(GUTTER).max(NARROWEST));
        Labels { texts, excerpts: Excerpts::new(room, links), list: Vec::new() }
    }

    /// Adds a label unless the place has one already.
    fn add(&mut self, report: &Report<'_>, style: LabelStyle, at: Span, text: &str) {
        let range = self.excerpts.label(report.sources, self.texts, at);
        if !self.list.iter().any(|label| label.file_id == at.file && label.range == range) {
            self.list.push(Label::new(style, at.file, range).with_message(harmless(text)));
        }
    }
}

fn severity(level: Level) -> Severity {
    match level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Note => Severity::Note,
    }
}

/// The label of the deciding directive: "decides: only the host enters".
pub fn decides(deciding: &Deciding, passes: &Passes) -> String {
    match deciding.derivation.first() {
        Some(step) => format!("decides: {}", enter(passes, step.passes)),
        None => "decides".to_string(),
    }
}

fn enter(passes: &Passes, set: PassSet) -> String {
    let left_out = passes.all().minus(set);
    match set.len() {
        0 => "no pass enters".to_string(),
        _ if set == passes.devices() => "only device passes enter".to_string(),
        2.. if left_out.len() == 1 => format!("every pass but {} enters", passes.describe(left_out)),
        1 => format!("only {} enters", passes.describe(set)),
        _ => format!("only {} enter", passes.describe(set)),
    }
}

/// The most further places of a finding that are shown.
const MORE_PLACES: usize = 8;
/// The column at which sentences are wrapped, if the terminal is wide enough.
const WIDTH: usize = 100;
/// The width of the margin left of a note.
const INDENT: usize = 6;
/// The least number of columns used, however narrow the terminal.
const NARROWEST: usize = 40;
/// The length in bytes above which a source line is shown only in part, if the output is not a terminal.
const LONG_LINE: usize = 200;
/// The columns taken by line numbers and borders.
const GUTTER: usize = 10;

/// The column at which to wrap.
fn wrap_at(report: &Report<'_>) -> usize {
    report.layout.width.map_or(WIDTH, |width| width.saturating_sub(INDENT).clamp(NARROWEST, WIDTH))
}

/// The notes below a finding's excerpts: sides, derivation, consequences, and the rule's notes.
fn notes(report: &Report<'_>, one: &Gathered<'_>) -> Vec<String> {
    let finding = &one.first.finding;
    let mut notes = Vec::new();
    let width = wrap_at(report);
    if !finding.views.is_empty() {
        notes.push(views(&finding.passes, &finding.views));
    }
    if let Some(deciding) = finding.deciding.as_ref().filter(|deciding| !deciding.derivation.is_empty()) {
        notes.push(derivation(report, deciding, &finding.passes));
    }
    notes.extend(finding.consequences.iter().map(|sentence| textwrap::fill(sentence, width)));
    if finding.certainty == Certainty::Likely {
        // Findings of an audit come with a number of modules.
        let why = match report.summary.modules {
            Some(_) => "nothing in the file tells whether the host uses it",
            None => "a name or a declaration could not be resolved",
        };
        notes.push(format!("likely, not certain: {why}"));
    }
    notes.extend(finding.notes.iter().map(|note| textwrap::fill(note, width)));
    notes.extend(further_instances(finding).map(|sentence| textwrap::fill(&sentence, width)));
    match one.others.len() {
        0 => {}
        1 => notes.push("the same is found at one more place".to_string()),
        more if more > MORE_PLACES => {
            notes.push(format!("the same is found at {more} more places, of which {MORE_PLACES} are shown"));
        }
        more => notes.push(format!("the same is found at {more} more places")),
    }
    notes
}

/// The instances that the message is not about.
fn further_instances(finding: &Finding) -> Option<String> {
    let further = finding.further_instances();
    let names: Vec<&str> = further.iter().take(MORE_PLACES).map(|label| label.text.as_str()).collect();
    let more = further.len() - names.len();
    match (names.as_slice(), more) {
        ([], _) => None,
        (names, 0) => Some(format!("also: {}", names.join(", "))),
        (names, more) => {
            Some(format!("also: {} and {more} more, which `--format json` names", names.join(", ")))
        }
    }
}

/// What would fix it, safe fixes first.
fn fixes_note(fixes: &[Fix]) -> String {
    let width = fixes.iter().map(|fix| fix.applicability.name().len()).max().unwrap_or(0);
    let rows =
        fixes.iter().map(|fix| format!("  {:width$}   {}", fix.applicability.name(), one_line(&fix.title)));
    std::iter::once(FIXES.to_string()).chain(rows).collect::<Vec<_>>().join("\n")
}

/// The table of what each group of passes sees, with its first column aligned.
fn views(passes: &Passes, views: &[View]) -> String {
    let rows: Vec<_> = views.iter().map(|view| (pass_list(passes, view.passes), &view.sees)).collect();
    let width = rows.iter().map(|(names, _)| names.chars().count()).max().unwrap_or(0);
    let rows = rows.iter().map(|(names, sees)| format!("  {names:width$}   {}", one_line(sees)));
    std::iter::once(VIEWS.to_string()).chain(rows).collect::<Vec<_>>().join("\n")
}

/// The steps from the conditional back to the predefined macro.
fn derivation(report: &Report<'_>, deciding: &Deciding, passes: &Passes) -> String {
    let step = |step: &Derived| {
        let names = pass_list(passes, step.passes);
        match step.at {
            Some(at) => format!("  {}: {}   [{names}]", place(report, at), one_line(&step.text)),
            None => format!("  {}, predefined by nvcc   [{names}]", one_line(&step.text)),
        }
    };
    let steps = deciding.derivation.iter().map(step);
    std::iter::once(DERIVATION.to_string()).chain(steps).collect::<Vec<_>>().join("\n")
}

/// `src/common.cuh:87`.
fn place(report: &Report<'_>, at: Span) -> String {
    let line = report.sources.file(at.file).line_column(at.start).line;
    format!("{}:{line}", path_of(report.sources, at))
}

/// Text on one line, with blanks collapsed, cut to a length that fits a screen.
pub(super) fn one_line(text: &str) -> String {
    const LONGEST: usize = 160;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}

/// The passes of a set for a table: `host, sm_75`.
fn pass_list(passes: &Passes, set: PassSet) -> String {
    passes.short_names(set, "host").join(", ")
}

/// A problem as codespan's diagnostic.
fn problem_diagnostic(
    report: &Report<'_>,
    texts: &HarmlessTexts,
    problem: &Problem,
    severity: Severity,
) -> (Excerpts, Diagnostic<FileId>) {
    let mut labels = Labels::new(report, texts);
    let mut diagnostic = Diagnostic::new(severity);
    diagnostic = match problem.at {
        Some(at) => {
            labels.add(report, LabelStyle::Primary, at, "");
            diagnostic.with_message(harmless(&problem.message))
        }
        None => {
            let message = format!("{}: {}", display_path(&problem.path), problem.message);
            diagnostic.with_message(harmless(&message))
        }
    };
    (labels.excerpts, diagnostic.with_labels(labels.list))
}
