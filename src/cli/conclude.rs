//! The end of a run, of sources as of what was built: findings are counted, their fixes are tried, reports are printed, and
//! the exit code is told.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Write, stderr};
use std::path::PathBuf;

use crate::analysis::on_deep_stacks;
use crate::cancel::CancelFlag;
use crate::finding::{Fix, Level, Region, Reported};
use crate::fix::Trial;
use crate::project::TranslationUnit;
use crate::report::{Layout, MOST_SARIF_RESULTS, Printed, Problem, Report, Summary};
use crate::rules::level_name;
use crate::source::Sources;

use super::arguments::FindingArguments;
use super::output::Color;
use super::resolve::Reporting;
use super::{Failure, exit_code, output};

/// What a run came to.
pub(super) struct Outcome<'a> {
    /// The findings, including suppressed ones.
    pub(super) findings: Vec<Reported>,
    /// What could not be read or analysed.
    pub(super) problems: Vec<Problem>,
    /// Mentions of kernel templates of which it is not known what they instantiate.
    pub(super) unresolved: Vec<Problem>,
    /// What was looked at. Findings are not counted yet.
    pub(super) summary: Summary,
    /// The units on which fixes of the findings are to be tried.
    pub(super) untried: Option<Untried>,
    /// Which passes see which lines.
    pub(super) regions: &'a [Region],
    /// The files that places are in.
    pub(super) sources: &'a Sources,
}

/// Units whose fixes were not tried yet.
pub(super) struct Untried {
    /// The units that the findings are about.
    pub(super) units: Vec<TranslationUnit>,
    /// The texts that are not on disk.
    pub(super) unsaved: BTreeMap<PathBuf, String>,
    /// What becomes of the fixes.
    pub(super) purpose: Purpose,
}

/// What becomes of fixes that were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Reports have them.
    Show,
    /// The summary tells how many findings have some.
    Count,
}

/// How the outcome is told.
pub(super) struct Manner<'a> {
    /// The reports to write, and the level that fails a run.
    pub(super) reporting: &'a Reporting,
    /// The flags on findings.
    pub(super) findings: &'a FindingArguments,
    /// Colours in text.
    pub(super) color: Color,
    /// No summary is printed.
    pub(super) quiet: bool,
    /// Set by an interrupt: no further fixes are tried.
    pub(super) cancel: &'a CancelFlag,
    /// The findings that standard output has already.
    pub(super) printed: Printed,
}

/// Writes the reports. Returns the exit code.
///
/// # Errors
/// When one can't be written.
pub(super) fn conclude(outcome: Outcome<'_>, manner: &Manner<'_>) -> Result<u8, Failure> {
    let Outcome { mut findings, problems, unresolved, mut summary, untried, regions, sources } = outcome;
    let reporting = manner.reporting;
    summary.unresolved = unresolved.len();
    summary.incomplete = problems.iter().any(|problem| problem.incomplete);
    summary.count(&findings);
    let fails =
        findings.iter().any(|one| one.suppression.is_none() && one.finding.level >= reporting.fail_on);
    summary.left_out = keep_most_severe(&mut findings, reporting.max_findings);
    if let Some(untried) = untried.filter(|_| !manner.cancel.is_set()) {
        let purpose = untried.purpose;
        let tried = try_fixes(&findings, untried, sources, manner.cancel);
        summary.count_fixable(&tried);
        if purpose == Purpose::Show {
            let open = findings.iter_mut().filter(|one| one.suppression.is_none());
            open.zip(tried).for_each(|(one, fixes)| one.fixes = Some(fixes));
        }
    }
    let layout = Layout {
        root: reporting.root.clone(),
        width: None,
        category: reporting.category.clone(),
        with_suppressed: manner.findings.show_suppressed,
        quiet: manner.quiet,
        links: false,
        printed: Printed::default(),
    };
    let rules = &reporting.policy.catalog;
    let mut report =
        Report { findings: &findings, problems, unresolved, summary, regions, sources, rules, layout };
    output::write_all(&mut report, &reporting.outputs, manner.color, &manner.printed)
        .or_else(unless_closed)?;
    print_side_messages(manner, &report).or_else(unless_closed)?;
    Ok(match (report.summary.incomplete, fails && !manner.findings.exit_zero) {
        (true, _) => exit_code::INCOMPLETE,
        (false, true) => exit_code::FINDINGS,
        (false, false) => exit_code::CLEAN,
    })
}

/// A reader that has closed the pipe wants no more, and the exit code still says what was found.
fn unless_closed(failure: Failure) -> Result<(), Failure> {
    match failure {
        Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Err(other),
    }
}

/// The fixes that work, of each finding that is not suppressed, up to an interrupt.
fn try_fixes(
    findings: &[Reported],
    untried: Untried,
    sources: &Sources,
    cancel: &CancelFlag,
) -> Vec<Vec<Fix>> {
    on_deep_stacks(|| {
        let mut trial = Trial::new(untried.units, untried.unsaved);
        let open = findings.iter().filter(|one| one.suppression.is_none());
        let of_one = |one: &Reported| {
            let own = trial.like(&one.finding, sources);
            own.map(|finding| trial.fixes(&finding, &|| !cancel.is_set())).unwrap_or_default()
        };
        open.take_while(|_| !cancel.is_set()).map(of_one).collect()
    })
}

/// Keeps the most severe findings, in order, and returns the number of the others.
fn keep_most_severe(findings: &mut Vec<Reported>, most: Option<usize>) -> usize {
    let Some(most) = most else { return 0 };
    let unsuppressed: Vec<usize> =
        (0..findings.len()).filter(|index| findings[*index].suppression.is_none()).collect();
    let mut order = unsuppressed.clone();
    order.sort_by_key(|index| Reverse(findings[*index].finding.level));
    let dropped: BTreeSet<usize> = order.into_iter().skip(most).collect();
    let mut index = 0;
    findings.retain(|_| {
        index += 1;
        !dropped.contains(&(index - 1))
    });
    dropped.len()
}

/// Prints the messages that belong on standard error.
fn print_side_messages(manner: &Manner<'_>, report: &Report<'_>) -> Result<(), Failure> {
    let mut out = stderr().lock();
    let unsuppressed = report.unsuppressed().count();
    let to_sarif = manner.reporting.outputs.iter().any(|output| output.format.name == "sarif");
    if to_sarif && unsuppressed > MOST_SARIF_RESULTS {
        let left_out = unsuppressed - MOST_SARIF_RESULTS;
        writeln!(
            out,
            "warning: the SARIF report leaves out {left_out} findings: code scanning keeps {MOST_SARIF_RESULTS}"
        )?;
    }
    if manner.findings.statistics {
        let mut counts: BTreeMap<(Reverse<Level>, &str), usize> = BTreeMap::new();
        for finding in report.unsuppressed() {
            *counts.entry((Reverse(finding.level), finding.rule)).or_default() += 1;
        }
        for ((Reverse(level), rule), count) in counts {
            writeln!(out, "{count:>7}  {:7}  {rule}", level_name(level))?;
        }
    }
    Ok(())
}
