//! `check`: findings in sources and directories.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;

use codespan_reporting::term::termcolor::{BufferedStandardStream, ColorChoice};

use crate::analysis::{Analysis, analyse};
use crate::project::{Project, TargetOrigin, TranslationUnit, discover};
use crate::report::{Problem, Report, Summary, Targets};
use crate::source::Sources;

use super::arguments::{CheckArguments, Color};
use super::{Failure, exit_code};

/// Analyses and prints; the exit code says what came of it.
pub(super) fn check(arguments: &CheckArguments) -> Result<u8, Failure> {
    let sources = Sources::new();
    let project = discover(&arguments.paths, &arguments.build.settings(), &sources)?;
    let analysis = analyse(&project.all_units(), &sources);
    let report = report(&project, &analysis, &sources, arguments);
    let mut out = BufferedStandardStream::stdout(color_choice(arguments.color));
    (arguments.format.write)(&report, &mut out)?;
    Ok(code(&report.summary))
}

fn code(summary: &Summary) -> u8 {
    match (summary.incomplete, summary.findings()) {
        (true, _) => exit_code::INCOMPLETE,
        (false, 0) => exit_code::CLEAN,
        (false, _) => exit_code::FINDINGS,
    }
}

fn report<'a>(
    project: &Project,
    analysis: &'a Analysis,
    sources: &'a Sources,
    arguments: &CheckArguments,
) -> Report<'a> {
    let problems = problems(project, analysis);
    let mut summary = Summary {
        files: analysis.files,
        units: analysed(project).len(),
        targets: targets(project),
        missing_headers: analysis.missing_headers.clone(),
        undefined_macros: analysis.undefined_macros.clone(),
        name_missing_headers: arguments.verbose,
        incomplete: problems.iter().any(|problem| problem.incomplete),
        ..Summary::default()
    };
    summary.count(&analysis.findings);
    Report { findings: &analysis.findings, problems, summary, sources }
}

/// Each problem once, however many units met it at the same place.
fn problems(project: &Project, analysis: &Analysis) -> Vec<Problem> {
    let of_project = project.problems.iter().map(|problem| Problem {
        path: problem.path.clone(),
        message: problem.message.clone(),
        at: None,
        incomplete: true,
    });
    let of_units = analysis.problems.iter().map(|problem| Problem {
        path: problem.unit.clone(),
        message: problem.message.clone(),
        at: problem.at,
        incomplete: problem.incomplete,
    });
    let mut problems: Vec<Problem> = Vec::new();
    let mut places = BTreeSet::new();
    for problem in of_project.chain(of_units) {
        if problem.at.is_none_or(|at| places.insert((at, problem.message.clone()))) {
            problems.push(problem);
        }
    }
    problems
}

/// The sources; where there is none, the headers.
fn analysed(project: &Project) -> &[TranslationUnit] {
    if project.units.is_empty() { &project.headers } else { &project.units }
}

/// The different sets of targets, the one most units have first.
fn targets(project: &Project) -> Vec<Targets> {
    let mut counts: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    for unit in analysed(project) {
        let names = unit.passes.names(unit.passes.devices());
        *counts.entry((names, origin(&unit.origin))).or_default() += 1;
    }
    let mut targets: Vec<Targets> =
        counts.into_iter().map(|((names, origin), units)| Targets { names, origin, units }).collect();
    targets.sort_by_key(|targets| Reverse(targets.units));
    targets
}

pub(super) fn origin(origin: &TargetOrigin) -> String {
    match origin {
        TargetOrigin::CommandLine => "--arch".to_string(),
        TargetOrigin::Database(path) => path.display().to_string(),
        TargetOrigin::Default => "the default".to_string(),
    }
}

/// `NO_COLOR` (<https://no-color.org>) and dumb terminals are termcolor's business.
fn color_choice(color: Color) -> ColorChoice {
    match color {
        Color::Always => ColorChoice::Always,
        Color::Auto if std::io::stdout().is_terminal() => ColorChoice::Auto,
        Color::Auto | Color::Never => ColorChoice::Never,
    }
}
