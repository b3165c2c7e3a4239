//! The command `judge`: the second step of `check`, on files that `summarize` wrote.
//!
//! In: summaries, in any order. Out: what `check` reports of the same units, and its exit code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::analysis::{self, Judgeable, Regions, SummaryError, help};
use crate::project::{ProjectProblem, TranslationUnit};
use crate::source::Sources;

use super::arguments::{BuildArguments, CheckArguments, JudgeArguments, TriageArguments};
use super::one_run::{Looked, Whole, begin, lines, read_baseline, tell};
use super::progress::Progress;
use super::stream::{Stream, Watched};
use super::summarize::ENDING;
use super::timings::Timings;
use super::{Failure, interrupt, resolve};

/// Runs the command. Returns the exit code.
pub(super) fn judge(arguments: JudgeArguments) -> Result<u8, Failure> {
    let paths = arguments.paths.clone();
    let check = as_check(arguments);
    let run = resolve::run(&check)?;
    begin(&check, &run)?;
    let baseline = match check.write_baseline {
        Some(_) => None,
        None => run.baseline.as_deref().map(read_baseline).transpose()?,
    };
    let mut timings = Timings::begin();
    let files = files(&paths)?;
    let mut opened = Vec::with_capacity(files.len());
    for path in files {
        let one = Judgeable::open(&path).map_err(|error| refused(&path, None, &error))?;
        let same = one.check_rules(&run.settings.custom);
        same.map_err(|error| refused(&path, Some(&one.head.main), &error))?;
        if !run.policy.exclude.has(&one.head.main) {
            opened.push(one);
        }
    }
    timings.ended("finding summaries");
    let pages = run.outputs.iter().any(|output| output.format.name == "html");
    let regions = if pages { Regions::Shown } else { Regions::Hidden };
    let sources = Sources::new();
    let watched = Watched {
        bar: Progress::Hidden.begin(0),
        stream: lines(&check, &run).map(|format| Stream::new(format, &run.policy, &sources)),
    };
    let (judged, found) = analysis::judge(opened, &sources, regions, &watched).map_err(|refusal| {
        let analysis::Refusal { path, unit, error } = refusal;
        refused(&path, unit.as_ref(), &error)
    })?;
    timings.ended("reading and judging");
    let looked = judged
        .iter()
        .map(|one| Looked::at(one.head.kind, &one.head.passes, &one.head.origin, &one.context.arch_source))
        .collect();
    let units = || -> Result<Vec<TranslationUnit>, Failure> {
        let unit =
            |one: &Judgeable| one.unit().map_err(|error| refused(&one.path, Some(&one.head.main), &error));
        judged.iter().map(unit).collect()
    };
    let whole = Whole {
        cpp_sources: 0,
        looked,
        problems: problems(&judged),
        units: &units,
        analysis: found,
        printed: watched.stream.map(Stream::finish).unwrap_or_default(),
        baseline,
        built: None,
    };
    tell(whole, &check, &run, &sources, &interrupt::listen(), timings)
}

/// The arguments of `check` that say the same.
fn as_check(arguments: JudgeArguments) -> CheckArguments {
    let triage = TriageArguments {
        findings: arguments.findings,
        prune_baseline: arguments.prune_baseline,
        require_reason: arguments.require_reason,
        ignore_comments: arguments.ignore_comments,
        ..TriageArguments::default()
    };
    CheckArguments {
        report: arguments.report,
        jobs: arguments.jobs,
        timings: arguments.timings,
        show_fixes: arguments.show_fixes,
        triage,
        build: BuildArguments { configuration: arguments.configuration, ..BuildArguments::default() },
        ..CheckArguments::default()
    }
}

/// The summaries at these paths, each once.
fn files(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut files = BTreeSet::new();
    for path in paths {
        let before = files.len();
        if !path.is_dir() {
            files.insert(path.clone());
            continue;
        }
        let failure = |error: &dyn std::fmt::Display| Failure::Usage {
            message: format!("failed to read `{}`: {error}", path.display()),
            help: "name summaries, or a directory of some".into(),
        };
        for entry in ignore::WalkBuilder::new(path).standard_filters(false).build() {
            let entry = entry.map_err(|error| failure(&error))?;
            if entry.path().to_string_lossy().ends_with(ENDING) && entry.path().is_file() {
                files.insert(entry.into_path());
            }
        }
        if files.len() == before {
            return Err(failure(&format!("no file in it ends in `{ENDING}`")));
        }
    }
    Ok(files)
}

fn refused(path: &Path, unit: Option<&PathBuf>, error: &SummaryError) -> Failure {
    Failure::Usage {
        message: format!("failed to use the summary `{}`: {error}", path.display()),
        help: help(error, unit),
    }
}

/// What the runs could not read while they looked for units, each once, in the order of the units.
fn problems(judged: &[Judgeable]) -> Vec<ProjectProblem> {
    let mut problems: Vec<ProjectProblem> = Vec::new();
    for problem in judged.iter().flat_map(|one| &one.context.problems) {
        if !problems.contains(problem) {
            problems.push(problem.clone());
        }
    }
    problems
}
