//! SARIF 2.1.0 for GitHub's code scanning.
//!
//! Code scanning supports a part of SARIF with requirements of its own (docs.github.com, "SARIF support for code
//! scanning"), which this file satisfies: relative URIs of resolved paths, a primary region on one line, related
//! locations to which the message links, GitHub's own line hash, and at most [`MOST_RESULTS`] results. It would show
//! suppressed findings like others, so these are left out unless requested.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use codespan_reporting::term::termcolor::WriteColor;
use serde_json::{Value, json};

use crate::finding::{Finding, Fix, Level, Reported, Suppression, line_hashes};
use crate::rules::{Card, level_name};
use crate::source::{FileId, Span};

use super::paths::{Uri, uri};
use super::text::{decides, one_line};
use super::{Format, Problem, Report, count, first_line, replaced};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "sarif", about: "SARIF 2.1.0, for GitHub's code scanning", write, line: None };

/// The most results of a run that code scanning keeps.
pub const MOST_RESULTS: usize = 5000;
/// The most locations of a result that code scanning keeps.
const MOST_PLACES: usize = 100;
/// The most characters in a description.
const LONGEST: usize = 1024;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

fn write(report: &Report<'_>, mut out: &mut dyn WriteColor) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &document(report)).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()
}

fn document(report: &Report<'_>) -> Value {
    let cards: Vec<&Card> = report.rules.cards().filter(|card| report.rules.is_checked(&card.id)).collect();
    let wanted: Vec<&Reported> = report
        .findings
        .iter()
        .filter(|one| one.suppression.is_none() || report.layout.with_suppressed)
        .collect();
    let (shown, left_out) = most_severe(wanted);
    let mut writer = Writer { report, cards: &cards, hashes: BTreeMap::new() };
    let results: Vec<Value> = shown.into_iter().map(|one| writer.result(one)).collect();
    let run = json!({
        "tool": { "driver": {
            "name": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": cards.iter().map(|card| rule(card)).collect::<Vec<_>>(),
        }},
        "automationDetails": { "id": format!("{}/", report.layout.category) },
        "columnKind": "unicodeCodePoints",
        "invocations": [{
            "executionSuccessful": !report.summary.incomplete,
            "toolExecutionNotifications": writer.notifications(left_out),
        }],
        "results": results,
        "properties": { "targets": report.summary.targets },
    });
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

/// The results to print, in order, and the number of those left out: the least severe and last.
fn most_severe(mut all: Vec<&Reported>) -> (Vec<&Reported>, usize) {
    let left_out = all.len().saturating_sub(MOST_RESULTS);
    if left_out > 0 {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|index| Reverse(all[*index].finding.level));
        order.truncate(MOST_RESULTS);
        order.sort_unstable();
        all = order.into_iter().map(|index| all[index]).collect();
    }
    (all, left_out)
}

/// A rule as SARIF's reporting descriptor, made from its card.
fn rule(card: &Card) -> Value {
    let severity = match card.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "recommendation",
    };
    // Code that violates the guide's restrictions is undefined; the other rules are about portability.
    let kind = if card.id.starts_with("arch-dependent") { "undefined-behavior" } else { "portability" };
    let detects = card.section("What it detects");
    let first =
        detects.split("\n\n").next().unwrap_or(detects).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rule = json!({
        "id": card.id,
        "name": pascal_case(&card.id),
        "shortDescription": { "text": sentence(&card.title) },
        "fullDescription": { "text": first.chars().take(LONGEST).collect::<String>() },
        "help": { "text": card.to_string(), "markdown": card.to_string() },
        "defaultConfiguration": { "level": level_name(card.level), "enabled": card.enabled },
        "properties": {
            "tags": ["cuda", "correctness", kind, card.code.as_deref().unwrap_or("custom")],
            "precision": "high",
            "problem.severity": severity,
        },
    });
    if card.code.is_some() {
        let page = format!("{}/blob/main/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), card.id);
        rule["helpUri"] = page.into();
    }
    rule
}

/// `arch-dependent-layout` as `ArchDependentLayout`.
fn pascal_case(id: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    id.split('-').filter_map(capital).collect()
}

/// Turns a phrase into a sentence: upper case first (unless it begins with code), full stop last.
fn sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    // The text of an `#error` may be a sentence already.
    let stop = if phrase.trim_end_matches(['"', '\'']).ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// The run, as far as results refer to it.
struct Writer<'r> {
    report: &'r Report<'r>,
    cards: &'r [&'r Card],
    /// The line hashes of the files seen so far.
    hashes: BTreeMap<FileId, Vec<String>>,
}

impl Writer<'_> {
    fn result(&mut self, one: &Reported) -> Value {
        let finding = &one.finding;
        let passes = &finding.passes;
        let related = related(finding);
        let sides: Vec<Value> = finding
            .views
            .iter()
            .map(|view| json!({ "passes": passes.names(view.passes), "sees": view.sees }))
            .collect();
        let instances = finding.further_instances().iter().map(|label| (label.at, label.text.clone()));
        let instances: Vec<(Span, String)> = instances.take(MOST_PLACES - related.len()).collect();
        let places = related.iter().chain(&instances).enumerate().map(|(index, (at, text))| {
            let mut place = self.location(*at);
            place["id"] = json!(index + 1);
            place["message"] = json!({ "text": text });
            place
        });
        let code = self.cards.iter().position(|card| card.id == finding.rule);
        let mut result = json!({
            "ruleId": finding.rule,
            "level": level_name(finding.level),
            "message": { "text": message(finding, &related) },
            "locations": [self.location(finding.primary.at)],
            "relatedLocations": places.collect::<Vec<_>>(),
            "partialFingerprints": { "cudaArchLint/v1": one.fingerprint },
            "properties": { "certainty": finding.certainty, "entity": finding.entity, "sides": sides },
        });
        if let Some(index) = code {
            result["ruleIndex"] = json!(index);
        }
        if let Some(hash) = self.line_hash(finding.primary.at) {
            result["partialFingerprints"]["primaryLocationLineHash"] = json!(hash);
        }
        if let Some(flow) = self.code_flow(finding) {
            result["codeFlows"] = json!([flow]);
        }
        if let Some(proof) = &one.proof {
            result["properties"]["built"] = json!({ "verdict": proof.verdict, "reason": proof.reason });
        }
        let fixes: Vec<Value> = one.fixes.iter().flatten().filter_map(|fix| self.fix(fix)).collect();
        if !fixes.is_empty() {
            result["fixes"] = fixes.into();
        }
        if self.report.layout.with_suppressed {
            self.mark(&mut result, one);
        }
        result
    }

    /// Adds the suppression and baseline state of a result, for viewers that support them.
    fn mark(&self, result: &mut Value, one: &Reported) {
        let suppression = match &one.suppression {
            None => None,
            Some(Suppression::Source(reason)) if reason.is_empty() => Some(json!({ "kind": "inSource" })),
            Some(Suppression::Source(reason)) => Some(json!({ "kind": "inSource", "justification": reason })),
            Some(Suppression::Baseline) => Some(json!({ "kind": "external" })),
        };
        result["suppressions"] = json!(suppression.into_iter().collect::<Vec<_>>());
        let old = one.suppression == Some(Suppression::Baseline);
        result["baselineState"] = json!(if old { "unchanged" } else { "new" });
    }

    /// A fix with its replacements by file; `None` if a file can't be read any more.
    fn fix(&self, fix: &Fix) -> Option<Value> {
        let mut by_path: BTreeMap<&Path, Vec<Value>> = BTreeMap::new();
        for edit in &fix.edits {
            let at = replaced(self.report.sources, edit)?;
            let file = self.report.sources.file(at.file);
            let (start, end) = (file.line_column(at.start), file.line_column(at.end));
            by_path.entry(&edit.path).or_default().push(json!({
                "deletedRegion": {
                    "startLine": start.line,
                    "startColumn": start.column,
                    "endLine": end.line,
                    "endColumn": end.column,
                },
                "insertedContent": { "text": edit.text },
            }));
        }
        let changes = by_path.into_iter().map(|(path, replacements)| {
            json!({ "artifactLocation": self.artifact(path), "replacements": replacements })
        });
        Some(json!({
            "description": { "text": fix.title },
            "artifactChanges": changes.collect::<Vec<_>>(),
            "properties": { "kind": fix.kind.name(), "applicability": fix.applicability.name() },
        }))
    }

    fn artifact(&self, path: &Path) -> Value {
        match uri(path, &self.report.layout.root) {
            Uri::Relative(uri) => json!({ "uri": uri, "uriBaseId": "%SRCROOT%" }),
            Uri::Absolute(uri) => json!({ "uri": uri }),
        }
    }

    fn line_hash(&mut self, at: Span) -> Option<String> {
        let file = self.report.sources.file(at.file);
        let hashes = self.hashes.entry(at.file).or_insert_with(|| line_hashes(&file.text));
        hashes.get(file.line_index(at.start)).cloned()
    }

    /// The derivation from the predefined macro to the entity that differs.
    fn code_flow(&self, finding: &Finding) -> Option<Value> {
        let deciding = finding.deciding.as_ref()?;
        let passes = &finding.passes;
        let steps = deciding.derivation.iter().rev().filter_map(|step| {
            let names = passes.short_names(step.passes, "host").join(", ");
            Some((step.at?, format!("{} [{names}]", one_line(&step.text))))
        });
        let last = (finding.primary.at, finding.primary.text.clone());
        let steps: Vec<Value> = steps
            .chain([last])
            .map(|(at, text)| {
                let mut location = self.location(at);
                location["message"] = json!({ "text": text });
                json!({ "location": location })
            })
            .collect();
        Some(json!({ "threadFlows": [{ "locations": steps }] }))
    }

    fn location(&self, at: Span) -> Value {
        let line = first_line(self.report.sources, at);
        let artifact = self.artifact(&line.path);
        // The lines of a listing are not those of the binary file it stands for.
        if self.report.sources.file(at.file).listing {
            return json!({ "physicalLocation": { "artifactLocation": artifact } });
        }
        json!({ "physicalLocation": {
            "artifactLocation": artifact,
            "region": {
                "startLine": line.line,
                "startColumn": line.column,
                "endLine": line.line,
                "endColumn": line.end,
            },
        }})
    }

    /// Notifications about problems of the analysis and about results that were left out.
    fn notifications(&self, left_out: usize) -> Vec<Value> {
        let mut notifications: Vec<Value> =
            self.report.problems.iter().map(|problem| self.notification(problem)).collect();
        notifications.extend(self.report.unresolved.iter().map(|one| {
            let mut notification = self.notification(one);
            notification["level"] = json!("note");
            notification
        }));
        let mut say = |level: &str, text: String| {
            notifications.push(json!({ "level": level, "message": { "text": text } }));
        };
        if left_out > 0 {
            say(
                "warning",
                format!("{} were left out: code scanning keeps {MOST_RESULTS}.", count(left_out, "finding")),
            );
        }
        if self.report.summary.left_out > 0 {
            say(
                "warning",
                format!(
                    "{} were left out, as was asked for.",
                    count(self.report.summary.left_out, "finding")
                ),
            );
        }
        let missing = self.report.summary.missing_headers.len();
        if missing > 0 {
            say("note", format!("{} not found.", count(missing, "header")));
        }
        notifications
    }

    fn notification(&self, problem: &Problem) -> Value {
        let location = match problem.at {
            Some(at) => self.location(at),
            None => {
                let artifact = match uri(&problem.path, &self.report.layout.root) {
                    Uri::Relative(uri) => json!({ "uri": uri, "uriBaseId": "%SRCROOT%" }),
                    Uri::Absolute(uri) => json!({ "uri": uri }),
                };
                json!({ "physicalLocation": { "artifactLocation": artifact } })
            }
        };
        json!({
            "level": if problem.incomplete { "error" } else { "warning" },
            "message": { "text": sentence(&problem.message) },
            "locations": [location],
        })
    }
}

/// The locations to which the message links: related places, then the deciding directive.
fn related(finding: &Finding) -> Vec<(Span, String)> {
    let labels = finding.related.iter().map(|label| (label.at, label.text.clone()));
    let deciding = finding.deciding.iter().map(|deciding| (deciding.at, one_line(&deciding.text)));
    labels.take(MOST_PLACES - 1).chain(deciding).collect()
}

/// The message: first the fact, which becomes the alert's title, then what each pass sees, the deciding directive,
/// related locations and the consequences.
fn message(finding: &Finding, related: &[(Span, String)]) -> String {
    let passes = &finding.passes;
    let mut text = plain(&sentence_end(&finding.message));
    for view in &finding.views {
        let names = passes.short_names(view.passes, "host").join(", ");
        text += &format!("\n{names}: {}", plain(&one_line(&view.sees)));
    }
    let links: Vec<String> = related
        .iter()
        .enumerate()
        .map(|(index, (_, text))| format!("[{}]({})", link_text(text), index + 1))
        .collect();
    let (labels, decider) = links.split_at(links.len() - usize::from(finding.deciding.is_some()));
    if let (Some(deciding), [link]) = (&finding.deciding, decider) {
        text += &format!("\n{link} {}.", decides(deciding, passes));
    }
    if !labels.is_empty() {
        text += &format!("\nSee: {}.", labels.join(", "));
    }
    for consequence in &finding.consequences {
        text += &format!("\n{}", plain(consequence));
    }
    text
}

fn sentence_end(text: &str) -> String {
    if text.ends_with('.') { text.to_string() } else { format!("{text}.") }
}

/// Escapes a text so that nothing in it is a link (SARIF 2.1.0, section 3.11.6).
fn plain(text: &str) -> String {
    text.replace("](", "] (")
}

/// Escapes the text of a link.
fn link_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}
