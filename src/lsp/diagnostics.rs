//! Findings as the protocol's diagnostics.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};

use crate::analysis::{Analysis, UnitProblem};
use crate::finding::{Finding, Level};
use crate::project::tidy;
use crate::report::{decides, json_finding};
use crate::source::{FileId, SourceFile, Sources, Span};

use super::position::{Encoding, Lines};
use super::uri;

/// What the client understands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// How columns are counted.
    pub(super) encoding: Encoding,
    /// Diagnostics may have related places.
    pub(super) related: bool,
}

/// The diagnostics of each file that has any, by tidied path. A finding's first line is the message;
/// the whole of it, as the JSON report has it, is the `data`.
pub(super) fn diagnostics(
    analysis: &Analysis,
    sources: &Sources,
    dialect: Dialect,
) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let files: BTreeMap<FileId, Arc<SourceFile>> =
        spans(analysis).map(|at| (at.file, sources.file(at.file))).collect();
    let lines = files.iter().map(|(id, file)| (*id, Lines::new(&file.text, dialect.encoding))).collect();
    let places = Places { files: &files, lines };
    let mut by_file: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in &analysis.findings {
        if let Some((path, range)) = places.of(finding.primary.at) {
            let mut diagnostic = of_finding(finding, range, sources);
            diagnostic.related_information = dialect.related.then(|| related(finding, &places));
            by_file.entry(path).or_default().push(diagnostic);
        }
    }
    for problem in &analysis.problems {
        let at = match problem.at {
            Some(at) => places.of(at),
            None => Some((tidy(&problem.unit), Range::default())),
        };
        let Some((path, range)) = at else { continue };
        let list = by_file.entry(path).or_default();
        let diagnostic = of_problem(problem, range);
        // Units that include one header meet the same problem in it.
        if !list.contains(&diagnostic) {
            list.push(diagnostic);
        }
    }
    by_file
}

fn of_finding(finding: &Finding, range: Range, sources: &Sources) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(match finding.level {
            Level::Error => DiagnosticSeverity::ERROR,
            Level::Warning => DiagnosticSeverity::WARNING,
            Level::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(finding.rule.to_string())),
        source: Some(super::NAME.to_string()),
        message: finding.message.clone(),
        data: serde_json::to_value(json_finding(sources, finding)).ok(),
        ..Diagnostic::default()
    }
}

/// The other sides, then the directive that decides.
fn related(finding: &Finding, places: &Places<'_>) -> Vec<DiagnosticRelatedInformation> {
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
    labels.chain(deciding).filter_map(information).collect()
}

/// What could not be analysed is worth knowing: without it silence would say too much.
fn of_problem(problem: &UnitProblem, range: Range) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some(super::NAME.to_string()),
        message: problem.message.clone(),
        ..Diagnostic::default()
    }
}

/// Every place that an analysis mentions.
fn spans(analysis: &Analysis) -> impl Iterator<Item = Span> {
    let of_findings = analysis.findings.iter().flat_map(|finding| {
        let related = finding.related.iter().map(|label| label.at);
        related.chain([finding.primary.at]).chain(finding.deciding.iter().map(|deciding| deciding.at))
    });
    of_findings.chain(analysis.problems.iter().filter_map(|problem| problem.at))
}

/// Files and their lines.
struct Places<'f> {
    files: &'f BTreeMap<FileId, Arc<SourceFile>>,
    lines: BTreeMap<FileId, Lines<'f>>,
}

impl Places<'_> {
    /// `None` in a header that came with the program: no editor could open it.
    fn of(&self, at: Span) -> Option<(PathBuf, Range)> {
        let file = self.files.get(&at.file).filter(|file| !file.built_in())?;
        Some((tidy(&file.path), self.lines.get(&at.file)?.range(at.start, at.end)))
    }
}
