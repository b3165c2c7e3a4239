//! The lines between the last finding and the summary: where the findings are, and which command tells more; and problems
//! that say the same, folded into one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use codespan_reporting::term::termcolor::WriteColor;

use super::excerpt::harmless_line;
use super::{DEFAULT_ORIGIN, Problem, Report, count, display_path};
use crate::rules::level_name;

/// So many findings are seen at a glance.
const FEW: usize = 10;

/// The rows of the table that are printed.
const ROWS: usize = 20;

/// Prints a table of the findings by rule and folder, if there are many, and the command that tells more.
pub(super) fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let mut counts = BTreeMap::new();
    for finding in report.unsuppressed() {
        let file = report.sources.file(finding.primary.at.file);
        let folder = file.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = harmless_line(&display_path(folder.unwrap_or(Path::new("."))));
        *counts.entry((Reverse(finding.level), finding.rule, folder)).or_insert(0_usize) += 1;
    }
    let findings: usize = counts.values().sum();
    if findings > FEW {
        writeln!(out, "findings by rule and folder:")?;
        let width = counts.keys().map(|(_, rule, _)| rule.len()).max().unwrap_or(0);
        for ((Reverse(level), rule, folder), number) in counts.iter().take(ROWS) {
            writeln!(out, "{number:>7}  {:7}  {rule:width$}  {folder}", level_name(*level))?;
        }
        if counts.len() > ROWS {
            writeln!(out, "         and {} more", count(counts.len() - ROWS, "row"))?;
        }
    }
    if let Some(((_, rule, _), _)) =
        counts.iter().max_by_key(|(key, number)| (**number, Reverse((*key).clone())))
    {
        writeln!(out, "help: `cuda-arch-lint explain {rule}` tells more")?;
    }
    write_lacking(report, out)
}

/// Says how a run is told what it did without: the build's targets, sources and headers.
fn write_lacking(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    if report.summary.targets.first().is_some_and(|targets| targets.origin == DEFAULT_ORIGIN) {
        writeln!(
            out,
            "help: the targets of the build are not known: `--arch 80,90` names them, or `-p DIR` with a compile_commands.json"
        )?;
    }
    if report.summary.cpp_sources > 0 {
        let sources = match report.summary.cpp_sources {
            1 => "the one C++ source here was".to_string(),
            number => format!("the {number} C++ sources here were"),
        };
        writeln!(
            out,
            "help: {sources} not analysed: name those that are compiled as CUDA, or `-p DIR` with a compile_commands.json"
        )?;
    }
    match report.summary.missing_headers.len() {
        missing if missing > 0 && !report.summary.verbose => writeln!(
            out,
            "help: {} not found: `--verbose` lists them, `-I DIR` says where they are",
            if missing == 1 { "1 header was".to_string() } else { format!("{missing} headers were") }
        ),
        _ => Ok(()),
    }
}

/// Says once in how many files something was left out.
pub(super) fn write_incomplete(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let files: BTreeSet<&Path> =
        report.problems.iter().filter(|problem| problem.incomplete).map(|problem| &*problem.path).collect();
    if files.is_empty() {
        return Ok(());
    }
    let all = if report.summary.verbose { "" } else { "; `--verbose` prints all that stood in the way" };
    writeln!(out, "the analysis is incomplete: {} may have more findings{all}", count(files.len(), "file"))?;
    writeln!(out)
}

/// The problems, with those that say the same folded into the first unless all are asked for.
pub(super) fn folded(report: &Report<'_>) -> Vec<Problem> {
    let mut folded: Vec<(Problem, usize)> = Vec::new();
    let mut known: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for problem in &report.problems {
        let said = (problem.message.as_str(), problem.incomplete);
        match known.get(&said).filter(|_| !report.summary.verbose) {
            Some(first) => folded[*first].1 += 1,
            None => {
                known.insert(said, folded.len());
                folded.push((problem.clone(), 0));
            }
        }
    }
    let told = |(mut problem, more): (Problem, usize)| {
        if more > 0 {
            problem.message =
                format!("{} (and at {}; `--verbose` prints all)", problem.message, places(more));
        }
        problem
    };
    folded.into_iter().map(told).collect()
}

/// `1 more place`, `2 more places`.
fn places(more: usize) -> String {
    count(more, "more place")
}
