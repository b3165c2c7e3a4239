//! The option `check --fix`: edits the sources so that findings disappear.
//!
//! Each finding gets the first fix of a selected kind that works, a safe one if there is one; the next finding is looked up
//! in the edited texts. Files are written at the end, each completely or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::analysis::on_deep_stacks;
use crate::cancel::CancelFlag;
use crate::finding::{Applicability, Edit, Finding, KINDS, Kind, Reported, applied, slashed};
use crate::fix::{Trial, allow};
use crate::project::TranslationUnit;
use crate::source::Sources;

use super::Failure;
use super::arguments::{ALLOW, CheckArguments};
use super::exit_code;
use super::one_run::{Going, analysed, cache, keep_findings_of_change, read_baseline, write_text};
use super::resolve::Run;
use super::timings::Timings;
use crate::triage::triage;

/// The number of context lines in a patch.
const AROUND: usize = 3;

/// Identifies a finding while lines move: rule, entity and path.
type Key = (&'static str, String, PathBuf);

/// Fixes findings and writes the files. With `--diff` and no revision prints a patch instead and returns the exit
/// code.
pub(super) fn fix(arguments: &CheckArguments, run: &Run, cancel: &CancelFlag) -> Result<Option<u8>, Failure> {
    let sources = Sources::new();
    let cache = cache(&arguments.cache)?;
    let going = Going { progress: arguments.progress(), cancel, lines: None, cache: cache.as_ref() };
    let (project, analysis, _) = analysed(run, &run.paths, &sources, &going, &mut Timings::begin())?;
    let (mut found, _) = triage(analysis.findings, &analysis.files, &run.policy, &sources);
    if let Some(revision) = arguments.since() {
        keep_findings_of_change(&mut found, revision, arguments.untracked(), run, &sources, &going)?;
    }
    if let Some(path) = &run.baseline {
        read_baseline(path)?.apply(&mut found, &sources, &run.root);
    }
    found.retain(|one| one.suppression.is_none());
    let units = project.all_units();
    let applied = on_deep_stacks(|| apply_fixes(arguments, units, &found, &sources, cancel));
    if cancel.is_set() {
        writeln!(stderr(), "no file was changed")?;
        return Ok(Some(exit_code::INTERRUPTED));
    }
    let mut texts: Vec<(PathBuf, String, String)> = applied
        .texts
        .into_iter()
        .map(|(path, after)| Ok((std::fs::read(&path)?, path, after)))
        .map(|read: std::io::Result<_>| {
            let (before, path, after) = read?;
            // Invalid UTF-8 was replaced on reading, and the replacement must not be written.
            let before = String::from_utf8(before).map_err(|_| Failure::Usage {
                message: format!("`{}` is not UTF-8, so it can't be edited", path.display()),
                help: "convert it first: `iconv -f latin1 -t utf-8`".into(),
            })?;
            Ok((path, before, after))
        })
        .collect::<Result<_, Failure>>()?;
    texts.retain(|(_, before, after)| before != after);
    if arguments.diff == Some(None) {
        for (path, before, after) in &texts {
            write!(stdout(), "{}", patch(path, before, after))?;
        }
        if !arguments.report.quiet {
            match applied.suggested {
                0 if texts.is_empty() => writeln!(stderr(), "nothing to fix")?,
                0 => {}
                suggested => writeln!(stderr(), "{}", more(suggested))?,
            }
        }
        let fails = found.iter().any(|one| one.finding.level >= run.fail_on);
        return Ok(Some(if fails && !arguments.findings.exit_zero {
            exit_code::FINDINGS
        } else {
            exit_code::CLEAN
        }));
    }
    for (path, _, after) in &texts {
        write_text(path, after)?;
    }
    if !arguments.report.quiet {
        for line in &applied.done {
            writeln!(stderr(), "{line}")?;
        }
        let some = |count: usize, word: &str, words: &str| {
            format!("{count} {}", if count == 1 { word } else { words })
        };
        let files = some(texts.len(), "file", "files");
        writeln!(stderr(), "{} in {files}", some(applied.done.len(), "fix", "fixes"))?;
        if applied.suggested > 0 {
            writeln!(stderr(), "{}", more(applied.suggested))?;
        }
    }
    Ok(None)
}

/// The line about findings that only a suggested fix would mend.
fn more(suggested: usize) -> String {
    let findings = if suggested == 1 { "finding has a fix" } else { "findings have fixes" };
    format!("{suggested} more {findings} that may change what code means: `--fix --suggested` applies them")
}

/// The edited texts, a message for each fix, and how many findings are left that have a suggested fix.
struct Applied {
    texts: BTreeMap<PathBuf, String>,
    done: Vec<String>,
    suggested: usize,
}

fn apply_fixes(
    arguments: &CheckArguments,
    units: Vec<TranslationUnit>,
    found: &[Reported],
    sources: &Sources,
    cancel: &CancelFlag,
) -> Applied {
    let mut wanted: BTreeSet<Key> = found.iter().map(|one| key(&one.finding, sources)).collect();
    let kinds: Vec<Kind> = match arguments.fix_kind.is_empty() {
        true => KINDS.iter().map(|(kind, _)| *kind).collect(),
        false => arguments.fix_kind.iter().filter_map(|name| Kind::named(name)).collect(),
    };
    let mut trial = Trial::new(units, BTreeMap::new());
    let mut done = Vec::new();
    let mut suggested = 0;
    while let Some(finding) =
        trial.analysis().findings.iter().find(|one| wanted.contains(&key(one, trial.sources()))).cloned()
        && !cancel.is_set()
    {
        let key = key(&finding, trial.sources());
        match trial.first_fix(&finding, &kinds) {
            // A file may have several equal findings, so the same one is looked up again.
            Some(fix) if arguments.suggested || fix.applicability == Applicability::Safe => {
                trial.keep(&fix);
                done.push(format!("{}: {} ({})", key.2.display(), fix.title, finding.rule));
            }
            unwanted => {
                suggested += usize::from(unwanted.is_some());
                wanted.remove(&key);
            }
        }
    }
    let mut texts = trial.texts().clone();
    if let Some(reason) = &arguments.reason
        && (arguments.fix_kind.is_empty() || arguments.fix_kind.iter().any(|kind| kind == ALLOW))
    {
        let asked: BTreeSet<Key> = found.iter().map(|one| self::key(&one.finding, sources)).collect();
        let left: Vec<Finding> = trial
            .analysis()
            .findings
            .iter()
            .filter(|one| asked.contains(&self::key(one, trial.sources())))
            .cloned()
            .collect();
        add_suppressions(&left, reason, trial.sources(), &mut texts, &mut done);
    }
    Applied { texts, done, suggested }
}

/// Adds a suppression comment above each finding.
fn add_suppressions(
    findings: &[Finding],
    reason: &str,
    sources: &Sources,
    texts: &mut BTreeMap<PathBuf, String>,
    done: &mut Vec<String>,
) {
    let edits: BTreeSet<Edit> = findings.iter().filter_map(|one| allow(one, reason, sources)).collect();
    let paths: BTreeSet<&PathBuf> = edits.iter().map(|edit| &edit.path).collect();
    for path in paths {
        let Ok(file) = sources.read(path) else { continue };
        let here = edits.iter().filter(|edit| edit.path == *path);
        texts.insert(path.clone(), applied(&file.text, here.clone()));
        done.extend(here.map(|edit| format!("{}: {}", path.display(), edit.text.trim())));
    }
}

fn key(finding: &Finding, sources: &Sources) -> Key {
    (finding.rule, finding.entity.clone(), sources.file(finding.primary.at.file).path.clone())
}

/// A patch in the format of `git apply` and `patch -p1`.
fn patch(path: &Path, before: &str, after: &str) -> String {
    let shown = slashed(path);
    let shown = shown.trim_start_matches("./");
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff()
        .context_radius(AROUND)
        .header(&format!("a/{shown}"), &format!("b/{shown}"))
        .to_string()
}
