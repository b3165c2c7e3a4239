//! One run of the command `check`, from sources to reports.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use crate::analysis::{Analysis, Cache, analyse_kept};
use crate::artifact::Read;
use crate::audit::{audit, judge};
use crate::cancel::CancelFlag;
use crate::facts::BlindSpot;
use crate::finding::Reported;
use crate::project::{Project, ProjectProblem, TargetOrigin, TranslationUnit, UnitKind, discover};
use crate::report::{DEFAULT_ORIGIN, Format, Printed, Problem, Summary, Targets, count};
use crate::source::{FileId, Sources, read_utf8};
use crate::target::Passes;
use crate::triage::{Baseline, Comments, Entry, Policy, every, joined, triage};

use super::arguments::{CacheArguments, CheckArguments};
use super::conclude::{Manner, Outcome, Purpose, Untried, conclude};
use super::output::To;
use super::progress::Progress;
use super::resolve::Run;
use super::stream::{Stream, Watched};
use super::timings::Timings;
use super::{Failure, built, exit_code, git, output};

/// Makes ready for a run: finds out whether its reports can be written and its baseline pruned, and begins its threads.
pub(super) fn begin(arguments: &CheckArguments, run: &Run) -> Result<(), Failure> {
    output::check(&run.outputs)?;
    if arguments.prune_baseline && run.baseline.is_none() {
        return Err(Failure::Usage {
            message: "there is no baseline to prune".into(),
            help: "name it: `--baseline FILE --prune-baseline`".into(),
        });
    }
    if let Some(jobs) = arguments.jobs {
        // Threads are begun once; where they were before, there are as many as there are.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build_global();
    }
    Ok(())
}

/// One run from sources to reports, which ends early when it is cancelled. Returns the exit code.
pub(super) fn once(
    arguments: &CheckArguments,
    run: &Run,
    sources: &Sources,
    cancel: &CancelFlag,
) -> Result<u8, Failure> {
    let baseline = match arguments.write_baseline {
        Some(_) => None,
        None => run.baseline.as_deref().map(read_baseline).transpose()?,
    };
    let mut judged;
    let mut run = run;
    let built = match arguments.built.as_slice() {
        [] => None,
        paths => {
            let read = built::artifacts(paths)?;
            judged = run.clone();
            built::take_targets(&mut judged, &read, sources)?;
            run = &judged;
            Some(read)
        }
    };
    let cache = cache(&arguments.cache)?;
    let going =
        Going { progress: arguments.progress(), cancel, lines: lines(arguments, run), cache: cache.as_ref() };
    let mut timings = Timings::begin();
    let (project, analysis, printed) = analysed(run, &run.paths, sources, &going, &mut timings)?;
    let of_unit =
        |unit: &TranslationUnit| Looked::at(unit.kind, &unit.passes, &unit.origin, &run.arch_source);
    let whole = Whole {
        looked: project.units.iter().chain(&project.headers).map(of_unit).collect(),
        problems: project.problems.clone(),
        cpp_sources: project.cpp_sources,
        units: &|| Ok(project.all_units()),
        analysis,
        printed,
        baseline,
        built,
    };
    tell(whole, arguments, run, sources, cancel, timings)
}

/// A unit that was looked at, as far as a summary counts it.
pub(super) struct Looked {
    kind: UnitKind,
    targets: Vec<String>,
    origin: String,
}

impl Looked {
    /// A unit with its targets, and the origin of targets that override the build's.
    pub(super) fn at(kind: UnitKind, passes: &Passes, targets: &TargetOrigin, arch: &str) -> Looked {
        Looked { kind, targets: passes.names(passes.devices()), origin: origin(targets, arch) }
    }
}

/// All units, analysed and judged.
pub(super) struct Whole<'a> {
    /// The units.
    pub(super) looked: Vec<Looked>,
    /// What could not be read while they were looked for.
    pub(super) problems: Vec<ProjectProblem>,
    /// The C++ sources that were not analysed ([`Project::cpp_sources`]).
    pub(super) cpp_sources: usize,
    /// The units as they were compiled, if they are wanted.
    pub(super) units: &'a dyn Fn() -> Result<Vec<TranslationUnit>, Failure>,
    /// What was found.
    pub(super) analysis: Analysis,
    /// The findings that standard output has already.
    pub(super) printed: Printed,
    /// The findings that are known.
    pub(super) baseline: Option<Baseline>,
    /// What was built.
    pub(super) built: Option<Read>,
}

/// The end of a run, in one step or in two: what was found is chosen, and reported. Returns the exit code.
pub(super) fn tell(
    whole: Whole<'_>,
    arguments: &CheckArguments,
    run: &Run,
    sources: &Sources,
    cancel: &CancelFlag,
    mut timings: Timings,
) -> Result<u8, Failure> {
    let Whole { looked, problems: of_project, cpp_sources, units, analysis, printed, baseline, built } =
        whole;
    let (findings, remarks) = triage(analysis.findings.clone(), &analysis.files, &run.policy, sources);
    let summary = Summary { cpp_sources, ..summary(arguments, run, &looked, &analysis, sources) };
    let mut selection = Selection { findings, summary };
    selection.apply_baseline(arguments, run, baseline, &analysis, sources)?;
    // After the baseline, so that findings outside of the change do not count as fixed.
    if let Some(revision) = arguments.since() {
        let (untracked, findings) = (arguments.untracked(), &mut selection.findings);
        let cache = cache(&arguments.cache)?;
        let going = Going { progress: Progress::Hidden, cancel, lines: None, cache: cache.as_ref() };
        selection.summary.elsewhere =
            keep_findings_of_change(findings, revision, untracked, run, sources, &going)?;
    }
    let Selection { findings, mut summary } = selection;
    let mut findings = joined(findings, sources);
    let remarks: Vec<Problem> = remarks
        .into_iter()
        .map(|remark| Problem {
            path: sources.file(remark.at.file).path.clone(),
            message: remark.message,
            at: Some(remark.at),
            incomplete: false,
        })
        .collect();
    let remarks = [remarks, non_text_files(&analysis, sources), interrupted(&analysis)].concat();
    let mut problems = problems(&of_project, &analysis, &remarks);
    let unresolved: Vec<Problem> = analysis.unresolved.iter().map(|spot| unresolved(spot, sources)).collect();
    if let Some(read) = &built {
        let (of_artifacts, _) = audit(read, sources);
        judge(&mut findings, &read.artifacts, &of_artifacts, sources);
        problems.extend(built::problems(read));
    }
    let untried = untried(arguments, units, sources, fixes_wanted(arguments, run, &findings, &analysis))?;
    summary.fixes_untried = untried.is_none() && prints_summary(arguments, run);
    timings.ended("choosing findings");
    let regions = &analysis.regions;
    let outcome = Outcome { findings, problems, unresolved, summary, untried, regions, sources };
    let manner = Manner {
        reporting: run,
        findings: &arguments.findings,
        color: arguments.report.color,
        quiet: arguments.report.quiet,
        cancel,
        printed,
    };
    let code = conclude(outcome, &manner)?;
    timings.ended("fixes and reports");
    if arguments.timings {
        write!(stderr(), "{}", timings.text(&analysis))?;
    }
    Ok(if cancel.is_set() { exit_code::INTERRUPTED } else { code })
}

/// How large a cache may become unless somebody says otherwise, in mebibytes.
const CACHE_SIZE: u64 = 1024;

/// The cache that is asked for.
pub(super) fn cache(arguments: &CacheArguments) -> Result<Option<Cache>, Failure> {
    let Some(directory) = &arguments.kept else { return Ok(None) };
    let most = arguments.cache_size.unwrap_or(CACHE_SIZE).saturating_mul(1 << 20);
    let failure = |error: std::io::Error| Failure::Usage {
        message: format!("failed to make the cache `{}`: {error}", directory.display()),
        help: "name a directory that can be written to: `--cache .cuda-arch-lint-cache`".into(),
    };
    Cache::open(directory, most).map(Some).map_err(failure)
}

/// The format of lines in which findings are printed while the run goes on; `None` where only the whole tells what is
/// reported, and how.
pub(super) fn lines(arguments: &CheckArguments, run: &Run) -> Option<&'static Format> {
    let whole = arguments.since().is_some()
        || run.baseline.is_some()
        || arguments.write_baseline.is_some()
        || !arguments.built.is_empty()
        || arguments.show_fixes
        || run.max_findings.is_some();
    let output = run.outputs.iter().find(|output| output.to == To::Stdout)?;
    (!whole && output.format.line.is_some()).then_some(output.format)
}

/// A summary is printed for people.
fn prints_summary(arguments: &CheckArguments, run: &Run) -> bool {
    let stdout = run.outputs.iter().find(|output| output.to == To::Stdout);
    !arguments.report.quiet && stdout.is_some_and(|output| matches!(output.format.name, "text" | "concise"))
}

/// The most bytes of source text that are analysed to count fixable findings, if each of them took one more run. Few enough for
/// input whose analysis takes more than linear time.
const CHEAP: usize = 1 << 16;

/// What fixes are tried for: to be shown where that is asked for, to be counted where it takes no time to speak of.
fn fixes_wanted(
    arguments: &CheckArguments,
    run: &Run,
    findings: &[Reported],
    analysis: &Analysis,
) -> Option<Purpose> {
    let open = findings.iter().filter(|one| one.suppression.is_none()).count();
    let cheap = open > 0 && analysis.bytes.saturating_mul(1 + open) <= CHEAP;
    match arguments.show_fixes {
        true => Some(Purpose::Show),
        false => (cheap && prints_summary(arguments, run)).then_some(Purpose::Count),
    }
}

/// The units on which fixes are tried.
fn untried(
    arguments: &CheckArguments,
    units: &dyn Fn() -> Result<Vec<TranslationUnit>, Failure>,
    sources: &Sources,
    purpose: Option<Purpose>,
) -> Result<Option<Untried>, Failure> {
    let Some(purpose) = purpose else { return Ok(None) };
    let unsaved = arguments.stdin_filename.iter();
    let unsaved = unsaved.filter_map(|path| Some((path.clone(), sources.read(path).ok()?.text.clone())));
    Ok(Some(Untried { purpose, units: units()?, unsaved: unsaved.collect() }))
}

/// What was looked at.
fn summary(
    arguments: &CheckArguments,
    run: &Run,
    looked: &[Looked],
    analysis: &Analysis,
    sources: &Sources,
) -> Summary {
    let excluded = |file: &FileId| run.policy.exclude.has(&sources.file(*file).path);
    Summary {
        files: analysis.files.iter().filter(|file| !excluded(file)).count(),
        units: main_units(looked).len().saturating_sub(analysis.left_out.len()),
        targets: targets(looked),
        missing_headers: analysis.missing_headers.clone(),
        undefined_macros: analysis.undefined_macros.clone(),
        verbose: arguments.report.verbose,
        ..Summary::default()
    }
}

/// The problem of an analysis that was cancelled.
fn interrupted(analysis: &Analysis) -> Vec<Problem> {
    let more = match analysis.left_out.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(", nor were {}", count(more, "other unit")),
    };
    let message = format!("it was not analysed{more}: the run was interrupted");
    let problem =
        |path: &PathBuf| Problem { path: path.clone(), message: message.clone(), at: None, incomplete: true };
    analysis.left_out.first().map(problem).into_iter().collect()
}

/// The findings of a run, and what was left out of them.
struct Selection {
    findings: Vec<Reported>,
    summary: Summary,
}

impl Selection {
    /// Writes the baseline, or marks the findings that it has. After an interrupt no baseline is written: what was not
    /// analysed is not gone.
    fn apply_baseline(
        &mut self,
        arguments: &CheckArguments,
        run: &Run,
        read: Option<Baseline>,
        analysis: &Analysis,
        sources: &Sources,
    ) -> Result<(), Failure> {
        let whole = analysis.left_out.is_empty();
        let mut baseline = read;
        if let Some(path) = arguments.write_baseline.as_ref().filter(|_| whole) {
            let new = Baseline::of(&self.findings, sources, &run.root);
            write_text(path, &new.text())?;
            writeln!(stderr(), "{} written to {}", count(new.findings.len(), "finding"), path.display())?;
            baseline = Some(new);
        }
        let Some(baseline) = baseline else { return Ok(()) };
        let left = baseline.apply(&mut self.findings, sources, &run.root);
        if !whole {
            return Ok(());
        }
        let fixed = fixed(&baseline, left, analysis, sources, &run.root);
        if let (true, Some(path)) = (arguments.prune_baseline, &run.baseline) {
            write_text(path, &baseline.without(&fixed).text())?;
        }
        self.summary.fixed =
            fixed.iter().map(|one| format!("{}: {}: {}", one.path, one.rule, one.entity)).collect();
        Ok(())
    }
}

/// How an analysis is watched, and what ends it early.
pub(super) struct Going<'a> {
    /// Whether there is a progress bar.
    pub(super) progress: Progress,
    /// Set by an interrupt.
    pub(super) cancel: &'a CancelFlag,
    /// The format in which findings are printed while it goes on.
    pub(super) lines: Option<&'static Format>,
    /// Summaries of earlier runs.
    pub(super) cache: Option<&'a Cache>,
}

/// Analyses the units under some paths except those that the policy excludes, and prints the findings that are to be printed
/// meanwhile.
pub(super) fn analysed(
    run: &Run,
    paths: &[PathBuf],
    sources: &Sources,
    going: &Going<'_>,
    timings: &mut Timings,
) -> Result<(Project, Analysis, Printed), Failure> {
    let mut project = discover(paths, &run.settings, sources)?;
    let wanted = |unit: &TranslationUnit| !run.policy.exclude.has(&unit.main);
    project.units.retain(wanted);
    project.headers.retain(wanted);
    let units = project.all_units();
    timings.ended("finding units and targets");
    let watched = Watched {
        bar: going.progress.begin(units.len()),
        stream: going.lines.map(|format| Stream::new(format, &run.policy, sources)),
    };
    let analysis = analyse_kept(&units, sources, &watched, going.cancel, going.cache);
    watched.bar.finish();
    timings.ended("analysis");
    Ok((project, analysis, watched.stream.map(Stream::finish).unwrap_or_default()))
}

/// Keeps the findings that a change touches or causes, and returns the number of the others. It causes a finding if
/// an analysis of the texts before the change does not have it; what it did to definitions and includes counts,
/// wherever.
pub(super) fn keep_findings_of_change(
    findings: &mut Vec<Reported>,
    revision: &str,
    untracked: git::Untracked,
    run: &Run,
    sources: &Sources,
    going: &Going<'_>,
) -> Result<usize, Failure> {
    let change = git::change_since(revision, untracked)?;
    for path in &run.paths {
        if path.canonicalize().is_ok_and(|path| !path.starts_with(&change.root)) {
            return Err(Failure::Usage {
                message: format!(
                    "`{}` is not in the repository `{}`, whose changes `--diff` selects",
                    path.display(),
                    change.root.display()
                ),
                help: "`--diff` uses the repository of the working directory: run it in that of the sources"
                    .into(),
            });
        }
    }
    let unsuppressed =
        |findings: &[Reported]| findings.iter().filter(|one| one.suppression.is_none()).count();
    let all = unsuppressed(findings);
    let before = Sources::new();
    let mut paths = run.paths.clone();
    for (path, text) in &change.before {
        before.overlay(path, text.clone().unwrap_or_default());
        // A unit may have been deleted or renamed since.
        let below = |given: &PathBuf| given.canonicalize().is_ok_and(|given| path.starts_with(given));
        if text.is_some() && !path.exists() && is_source(path) && run.paths.iter().any(below) {
            paths.push(path.clone());
        }
    }
    let old = match change.before.is_empty() {
        true => None,
        false => {
            let going = Going { progress: Progress::Hidden, lines: None, ..*going };
            let (_, analysis, _) = analysed(run, &paths, &before, &going, &mut Timings::begin())?;
            let policy = Policy { comments: Comments::Ignored, ..run.policy.clone() };
            Some(triage(analysis.findings, &analysis.files, &policy, &before).0)
        }
    };
    let mut marked = findings.clone();
    marked.iter_mut().for_each(|one| one.suppression = None);
    // After an interrupt it is not known which findings are new; those on changed lines are the change's in any case.
    if let Some(old) = old.filter(|_| !going.cancel.is_set()) {
        Baseline::of(&old, &before, &change.root).apply(&mut marked, sources, &change.root);
        let mut new = marked.iter().map(|one| one.suppression.is_none());
        findings.retain(|one| new.next().unwrap_or(true) || change.lines.touch(&one.finding, sources));
    } else {
        findings.retain(|one| change.lines.touch(&one.finding, sources));
    }
    Ok(all - unsuppressed(findings))
}

fn is_source(path: &Path) -> bool {
    let name = path.to_string_lossy();
    crate::project::SOURCE_EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// The baseline's entries that were fixed: no finding matches them although the run looked for them, or their file no
/// longer exists. A finding that is only not reported (its rule is off, a comment suppresses it) is not fixed.
fn fixed(
    baseline: &Baseline,
    left: Vec<Entry>,
    analysis: &Analysis,
    sources: &Sources,
    root: &Path,
) -> Vec<Entry> {
    let mut found = every(analysis.findings.clone(), sources);
    let gone: BTreeSet<Entry> = baseline.apply(&mut found, sources, root).into_iter().collect();
    let read: BTreeSet<PathBuf> =
        analysis.files.iter().filter_map(|file| sources.file(*file).path.canonicalize().ok()).collect();
    let seen =
        |entry: &Entry| root.join(&entry.path).canonicalize().map_or(true, |path| read.contains(&path));
    left.into_iter().filter(|entry| gone.contains(entry) && seen(entry)).collect()
}

pub(super) fn read_baseline(path: &Path) -> Result<Baseline, Failure> {
    let help = "`--write-baseline FILE` writes one".to_string();
    let failure = |reason: String| Failure::Usage {
        message: format!("failed to read the baseline `{}`: {reason}", path.display()),
        help: help.clone(),
    };
    let text = read_utf8(path).map_err(|error| failure(error.to_string()))?;
    Baseline::read(&text).map_err(|error| failure(error.to_string()))
}

pub(super) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    output::write_file(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Failure::File { path: path.to_path_buf(), error })
}

/// Problems about files that are not text in an encoding based on ASCII. They are read, but nothing is found in them.
fn non_text_files(analysis: &Analysis, sources: &Sources) -> Vec<Problem> {
    let files = analysis.files.iter().map(|file| sources.file(*file));
    let problem = |path: &Path| Problem {
        path: path.to_path_buf(),
        message: "it is UTF-16 or not a text file, so nothing in it was analysed".into(),
        at: None,
        incomplete: true,
    };
    files.filter(|file| file.about().binary).map(|file| problem(&file.path)).collect()
}

/// The problems of the run, each reported once however many units have it.
pub(super) fn problems(
    of_project: &[ProjectProblem],
    analysis: &Analysis,
    remarks: &[Problem],
) -> Vec<Problem> {
    let of_project = of_project.iter().map(|problem| Problem {
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

/// A mention of a kernel template of which it is not known what it instantiates.
fn unresolved(spot: &BlindSpot, sources: &Sources) -> Problem {
    Problem {
        path: sources.file(spot.at.file).path.clone(),
        message: spot.message(),
        at: Some(spot.at),
        incomplete: false,
    }
}

/// The units of sources; if there are none, those of headers.
fn main_units(looked: &[Looked]) -> Vec<&Looked> {
    let sources: Vec<&Looked> = looked.iter().filter(|one| one.kind == UnitKind::Source).collect();
    if sources.is_empty() { looked.iter().collect() } else { sources }
}

/// The distinct lists of targets, that of most units first.
fn targets(looked: &[Looked]) -> Vec<Targets> {
    let mut counts: BTreeMap<(&[String], &str), usize> = BTreeMap::new();
    for unit in main_units(looked) {
        *counts.entry((&unit.targets, &unit.origin)).or_default() += 1;
    }
    let one = |((names, origin), units): ((&[String], &str), usize)| Targets {
        names: names.to_vec(),
        origin: origin.to_string(),
        units,
    };
    let mut targets: Vec<Targets> = counts.into_iter().map(one).collect();
    targets.sort_by_key(|targets| Reverse(targets.units));
    targets
}

/// The origin of a unit's targets as text; `arch` names the origin that overrides the build's.
pub(super) fn origin(origin: &TargetOrigin, arch: &str) -> String {
    match origin {
        TargetOrigin::CommandLine => arch.to_string(),
        TargetOrigin::Database(path) | TargetOrigin::BuildFile(path) => path.display().to_string(),
        TargetOrigin::Environment(variable) => variable.to_string(),
        TargetOrigin::Torch(path) => format!("PyTorch's default, which {} takes", path.display()),
        TargetOrigin::Default => DEFAULT_ORIGIN.to_string(),
    }
}
