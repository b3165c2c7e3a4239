//! `check`: findings in sources and directories.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write, stderr, stdin};
use std::path::{Path, PathBuf};

use crate::analysis::{Analysis, analyse};
use crate::finding::{Level, Reported};
use crate::project::{Project, TargetOrigin, TranslationUnit, discover};
use crate::report::{Layout, MOST_SARIF_RESULTS, Problem, Report, Summary, Targets};
use crate::rules::card::level_name;
use crate::source::Sources;
use crate::triage::{Baseline, Comments, Entry, Policy, triage};

use super::arguments::CheckArguments;
use super::progress::Progress;
use super::resolve::{Run, run};
use super::{Failure, exit_code, git, output};

/// Analyses and prints; the exit code says what came of it.
pub(super) fn check(arguments: &CheckArguments) -> Result<u8, Failure> {
    let mut run = run(arguments)?;
    let sources = Sources::new();
    if let Some(name) = &arguments.stdin_filename {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes)?;
        sources.overlay(name, String::from_utf8_lossy(&bytes).into_owned());
        run.paths = vec![name.clone()];
    }
    if run.paths.is_empty() {
        return Err(Failure::Usage {
            message: "nothing to look at".into(),
            help: "name sources or directories, or set `paths` in cuda-arch-lint.toml".into(),
        });
    }
    output::check(&run.outputs)?;
    if arguments.watch {
        return super::watch::watch(&run.paths.clone(), || once(arguments, &run, &Sources::new()));
    }
    if arguments.diff == Some(None) && !arguments.fix {
        return Err(Failure::Usage {
            message: "`--diff` needs a git revision".into(),
            help: "`--diff origin/main`; with `--fix` and no revision it prints a patch".into(),
        });
    }
    if arguments.fix
        && let Some(code) = super::fix::fix(arguments, &run)?
    {
        return Ok(code);
    }
    once(arguments, &run, &sources)
}

/// One run from sources to reports.
pub(super) fn once(arguments: &CheckArguments, run: &Run, sources: &Sources) -> Result<u8, Failure> {
    let old = run.baseline.as_deref().map(read_baseline).transpose()?;
    let (project, analysis) = analysed(run, &run.paths, sources, arguments.progress())?;
    let (mut findings, remarks) = triage(analysis.findings.clone(), &analysis.files, &run.policy, sources);
    let mut summary = Summary {
        files: analysis
            .files
            .iter()
            .filter(|file| !run.policy.exclude.has(&sources.file(**file).path))
            .count(),
        units: main_units(&project).len(),
        targets: targets(&project),
        missing_headers: analysis.missing_headers.clone(),
        undefined_macros: analysis.undefined_macros.clone(),
        verbose: arguments.verbose,
        ..Summary::default()
    };
    if let Some(revision) = arguments.since() {
        summary.elsewhere = only_of_change(&mut findings, revision, run, sources)?;
    }
    if let Some(path) = &arguments.write_baseline {
        let baseline = Baseline::of(&findings, sources, &run.root);
        write_text(path, &baseline.text())?;
        writeln!(stderr(), "{} findings written to {}", baseline.findings.len(), path.display())?;
        return Ok(if problems(&project, &analysis, &[]).iter().any(|problem| problem.incomplete) {
            exit_code::INCOMPLETE
        } else {
            exit_code::CLEAN
        });
    }
    if let (Some(baseline), Some(path)) = (old, &run.baseline) {
        let mut fixed = baseline.apply(&mut findings, sources, &run.root);
        fixed.retain(|entry| seen(entry, &analysis, sources, &run.root));
        if arguments.prune_baseline {
            write_text(path, &baseline.without(&fixed).text())?;
        }
        summary.fixed =
            fixed.iter().map(|one| format!("{}: {}: {}", one.path, one.rule, one.entity)).collect();
    }
    let remarks: Vec<Problem> = remarks
        .into_iter()
        .map(|remark| Problem {
            path: sources.file(remark.at.file).path.clone(),
            message: remark.message,
            at: Some(remark.at),
            incomplete: false,
        })
        .collect();
    let problems = problems(&project, &analysis, &remarks);
    summary.incomplete = problems.iter().any(|problem| problem.incomplete);
    summary.count(&findings);
    let fails = findings.iter().any(|one| one.silenced.is_none() && one.finding.level >= run.fail_on);
    summary.left_out = cut(&mut findings, run.max_findings);
    let layout = Layout {
        root: run.root.clone(),
        width: output::terminal_width(),
        category: run.category.clone(),
        with_silenced: arguments.show_silenced,
        quiet: arguments.quiet,
    };
    let report =
        Report { findings: &findings, problems, summary, regions: &analysis.regions, sources, layout };
    for output in &run.outputs {
        output::write(&report, output, arguments.color)?;
    }
    say_aside(arguments, run, &report)?;
    Ok(match (report.summary.incomplete, fails && !arguments.exit_zero) {
        (true, _) => exit_code::INCOMPLETE,
        (false, true) => exit_code::FINDINGS,
        (false, false) => exit_code::CLEAN,
    })
}

/// The units under some paths without what the policy excludes, and what analysing them gave.
pub(super) fn analysed(
    run: &Run,
    paths: &[PathBuf],
    sources: &Sources,
    progress: Progress,
) -> Result<(Project, Analysis), Failure> {
    let mut project = discover(paths, &run.settings, sources)?;
    let wanted = |unit: &TranslationUnit| !run.policy.exclude.has(&unit.main);
    project.units.retain(wanted);
    project.headers.retain(wanted);
    let units = project.all_units();
    let bar = progress.begin(units.len());
    let analysis = analyse(&units, sources, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok((project, analysis))
}

/// Keeps the findings that a change touches or causes, and gives the number of others. It causes those that the
/// texts before it do not give; whatever it did to definitions and includes elsewhere.
pub(super) fn only_of_change(
    findings: &mut Vec<Reported>,
    revision: &str,
    run: &Run,
    sources: &Sources,
) -> Result<usize, Failure> {
    let change = git::change_since(revision)?;
    let all = findings.len();
    let before = Sources::new();
    let mut paths = run.paths.clone();
    for (path, text) in &change.before {
        before.overlay(path, text.clone().unwrap_or_default());
        // A file that is gone, or has another name by now, was a unit.
        let below = |given: &PathBuf| given.canonicalize().is_ok_and(|given| path.starts_with(given));
        if text.is_some() && !path.exists() && is_source(path) && run.paths.iter().any(below) {
            paths.push(path.clone());
        }
    }
    let old = match change.before.is_empty() {
        true => None,
        false => {
            let (_, analysis) = analysed(run, &paths, &before, Progress::Hidden)?;
            let policy = Policy { comments: Comments::Ignored, ..run.policy.clone() };
            Some(triage(analysis.findings, &analysis.files, &policy, &before).0)
        }
    };
    let mut marked = findings.clone();
    marked.iter_mut().for_each(|one| one.silenced = None);
    if let Some(old) = old {
        Baseline::of(&old, &before, &change.root).apply(&mut marked, sources, &change.root);
        let mut new = marked.iter().map(|one| one.silenced.is_none());
        findings.retain(|one| new.next().unwrap_or(true) || change.lines.touch(&one.finding, sources));
    } else {
        findings.clear();
    }
    Ok(all - findings.len())
}

fn is_source(path: &Path) -> bool {
    let name = path.to_string_lossy();
    crate::project::SOURCE_EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// What an entry of the baseline was about was looked at in this run, or is gone.
fn seen(entry: &Entry, analysis: &Analysis, sources: &Sources, root: &Path) -> bool {
    let path = root.join(&entry.path);
    let Ok(path) = path.canonicalize() else { return true };
    analysis.files.iter().any(|file| sources.file(*file).path.canonicalize().is_ok_and(|read| read == path))
}

/// Leaves the most severe findings, in their order, and gives the number of others.
fn cut(findings: &mut Vec<Reported>, most: Option<usize>) -> usize {
    let Some(most) = most else { return 0 };
    let loud: Vec<usize> = (0..findings.len()).filter(|index| findings[*index].silenced.is_none()).collect();
    let mut order = loud.clone();
    order.sort_by_key(|index| Reverse(findings[*index].finding.level));
    let dropped: BTreeSet<usize> = order.into_iter().skip(most).collect();
    let mut index = 0;
    findings.retain(|_| {
        index += 1;
        !dropped.contains(&(index - 1))
    });
    dropped.len()
}

/// What is said on standard error, so that no format has to make room for it.
fn say_aside(arguments: &CheckArguments, run: &Run, report: &Report<'_>) -> Result<(), Failure> {
    let mut out = stderr().lock();
    let loud = report.loud().count();
    let to_sarif = run.outputs.iter().any(|output| output.format.name == "sarif");
    if to_sarif && loud > MOST_SARIF_RESULTS {
        let left_out = loud - MOST_SARIF_RESULTS;
        writeln!(
            out,
            "warning: the SARIF leaves {left_out} findings out: code scanning keeps {MOST_SARIF_RESULTS}"
        )?;
    }
    if arguments.statistics {
        let mut counts: BTreeMap<(Reverse<Level>, &str), usize> = BTreeMap::new();
        for finding in report.loud() {
            *counts.entry((Reverse(finding.level), finding.rule)).or_default() += 1;
        }
        for ((Reverse(level), rule), count) in counts {
            writeln!(out, "{count:>7}  {:7}  {rule}", level_name(level))?;
        }
    }
    Ok(())
}

pub(super) fn read_baseline(path: &Path) -> Result<Baseline, Failure> {
    let help = "`--write-baseline FILE` writes one".to_string();
    let failure = |reason: String| Failure::Usage {
        message: format!("failed to read the baseline `{}`: {reason}", path.display()),
        help: help.clone(),
    };
    let text = std::fs::read_to_string(path).map_err(|error| failure(error.to_string()))?;
    Baseline::read(&text).map_err(|error| failure(error.to_string()))
}

pub(super) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    output::write_file(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Failure::File { path: path.to_path_buf(), error })
}

/// Each problem once, however many units met it at the same place.
fn problems(project: &Project, analysis: &Analysis, remarks: &[Problem]) -> Vec<Problem> {
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
    for problem in of_project.chain(of_units).chain(remarks.iter().cloned()) {
        if problem.at.is_none_or(|at| places.insert((at, problem.message.clone()))) {
            problems.push(problem);
        }
    }
    problems
}

/// The sources; where there is none, the headers.
fn main_units(project: &Project) -> &[TranslationUnit] {
    if project.units.is_empty() { &project.headers } else { &project.units }
}

/// The different sets of targets, the one most units have first.
fn targets(project: &Project) -> Vec<Targets> {
    let mut counts: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    for unit in main_units(project) {
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
        TargetOrigin::Database(path) | TargetOrigin::BuildFile(path) => path.display().to_string(),
        TargetOrigin::Default => "the default".to_string(),
    }
}
