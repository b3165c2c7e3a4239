//! From findings to the protocol's diagnostics.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Range,
};

use crate::analysis::UnitProblem;
use crate::finding::{Finding, Level, Reported};
use crate::project::tidy;
use crate::report::{decides, json_finding};
use crate::rules::card;
use crate::source::{FileId, SourceFile, Sources, Span};

use super::capabilities::ClientFeatures;
use super::position::Lines;
use super::triaged::Triaged;
use super::uri;

/// The diagnostics of each file that has any, by tidied path. The `message` is the first line of the finding; the
/// `data` is the whole finding in the form of the JSON report.
pub(super) fn diagnostics(
    triaged: &Triaged,
    sources: &Sources,
    features: ClientFeatures,
) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let files: BTreeMap<FileId, Arc<SourceFile>> =
        spans(triaged).map(|at| (at.file, sources.file(at.file))).collect();
    let lines = files.iter().map(|(id, file)| (*id, Lines::new(&file.text, features.encoding))).collect();
    let places = RangeConverter { files: &files, lines };
    let mut by_file: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for one in &triaged.findings {
        if let Some((path, range)) = places.of(one.finding.primary.at) {
            let mut diagnostic = of_finding(one, range, sources);
            diagnostic.related_information = features.related.then(|| related(&one.finding, &places));
            diagnostic.code_description = described(&one.finding).filter(|_| features.described);
            by_file.entry(path).or_default().push(diagnostic);
        }
    }
    for (index, problem) in triaged.problems.iter().enumerate() {
        let at = match problem.at {
            Some(at) => places.of(at),
            None => Some((tidy(&problem.unit), Range::default())),
        };
        let Some((path, range)) = at else { continue };
        let list = by_file.entry(path).or_default();
        let mut diagnostic = of_problem(problem, range);
        // An editor greys a suppression comment that suppresses nothing.
        diagnostic.tags = (index < triaged.remarks).then(|| vec![DiagnosticTag::UNNECESSARY]);
        // Units that include the same header report the same problem in it.
        if !list.contains(&diagnostic) {
            list.push(diagnostic);
        }
    }
    by_file
}

fn of_finding(one: &Reported, range: Range, sources: &Sources) -> Diagnostic {
    let finding = &one.finding;
    let mut data = serde_json::to_value(json_finding(sources, finding)).unwrap_or_default();
    data["fingerprint"] = one.fingerprint.clone().into();
    Diagnostic {
        range,
        severity: Some(match finding.level {
            Level::Error => DiagnosticSeverity::ERROR,
            Level::Warning => DiagnosticSeverity::WARNING,
            Level::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(finding.rule.to_string())),
        source: Some(super::capabilities::NAME.to_string()),
        message: finding.message.clone(),
        data: Some(data),
        ..Diagnostic::default()
    }
}

/// The link to the card of a built-in rule.
fn described(finding: &Finding) -> Option<CodeDescription> {
    card(finding.rule)?;
    let href = format!("{}/blob/main/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), finding.rule);
    Some(CodeDescription { href: href.parse().ok()? })
}

/// The most instances of a template that are related locations.
const MOST_INSTANCES: usize = 8;

/// The related locations: the other sides, the deciding directive, then further instances of a template.
fn related(finding: &Finding, places: &RangeConverter<'_>) -> Vec<DiagnosticRelatedInformation> {
    let labels = finding.related.iter().map(|label| (label.at, label.text.clone()));
    let deciding = finding
        .deciding
        .iter()
        .map(|deciding| (deciding.at, format!("`{}` {}", deciding.text, decides(deciding, &finding.passes))));
    let information = |(at, message): (Span, String)| {
        let (path, range) = places.of(at)?;
        let location = Location { uri: uri::from_path(&path)?, range };
        Some(DiagnosticRelatedInformation { location, message })
    };
    let instances = finding.further_instances().iter().take(MOST_INSTANCES);
    let instances = instances.map(|label| (label.at, label.text.clone()));
    labels.chain(deciding).chain(instances).filter_map(information).collect()
}

/// A problem of the analysis as a diagnostic. Without it, the absence of findings would be misleading.
fn of_problem(problem: &UnitProblem, range: Range) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some(super::capabilities::NAME.to_string()),
        message: problem.message.clone(),
        ..Diagnostic::default()
    }
}

/// Every place that the findings and problems mention.
fn spans(triaged: &Triaged) -> impl Iterator<Item = Span> {
    let of_findings = triaged.findings.iter().map(|one| &one.finding).flat_map(|finding| {
        let related = finding.related.iter().chain(&finding.instances).map(|label| label.at);
        related.chain([finding.primary.at]).chain(finding.deciding.iter().map(|deciding| deciding.at))
    });
    of_findings.chain(triaged.problems.iter().filter_map(|problem| problem.at))
}

/// Converts places in files to the protocol's ranges.
struct RangeConverter<'f> {
    files: &'f BTreeMap<FileId, Arc<SourceFile>>,
    lines: BTreeMap<FileId, Lines<'f>>,
}

impl RangeConverter<'_> {
    /// `None` in a built-in header, which no editor can open.
    fn of(&self, at: Span) -> Option<(PathBuf, Range)> {
        let file = self.files.get(&at.file).filter(|file| !file.built_in())?;
        Some((tidy(&file.path), self.lines.get(&at.file)?.range(at.start, at.end)))
    }
}
