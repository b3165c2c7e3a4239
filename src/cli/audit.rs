//! `audit`: findings in what was built, and lists of it.

use std::collections::BTreeSet;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use crate::artifact::{Linkage, Read};
use crate::audit::{
    JsonInventory, audit as findings_of, difference, explain, inventory, write_page, write_table,
};
use crate::cancel::CancelFlag;
use crate::finding::Finding;
use crate::report::{Printed, Problem, Summary, Targets, count};
use crate::source::Sources;
use crate::triage::{Baseline, triage};

use super::arguments::{AuditArguments, Inventory};
use super::conclude::{Manner, Outcome, conclude};
use super::one_run::{Going, analysed, problems, read_baseline, write_text};
use super::progress::Progress;
use super::resolve::{self, Run};
use super::timings::Timings;
use super::{Failure, built, exit_code, output};

/// Reads what is named and prints what was asked for.
pub(super) fn audit(arguments: &AuditArguments) -> Result<u8, Failure> {
    if let Some([old, new]) = arguments.diff.as_deref() {
        return diff(old, new);
    }
    let mut run = resolve::audit(arguments)?;
    output::check(&run.outputs)?;
    let mut read = built::artifacts(&arguments.paths)?;
    read.artifacts.retain(|artifact| !run.policy.exclude.has(&artifact.path));
    if let Some(format) = arguments.list {
        return list(format, &read);
    }
    let sources = Sources::new();
    let (mut found, _) = findings_of(&read, &sources);
    let mut problems: Vec<Problem> = built::problems(&read);
    if !arguments.sources.is_empty() {
        problems.extend(explained(&mut found, &mut run, &read, &sources)?);
    }
    let (mut findings, _) = triage(found, &[], &run.policy, &sources);
    if let Some(path) = &arguments.findings.write_baseline {
        let new = Baseline::of(&findings, &sources, &run.root);
        write_text(path, &new.text())?;
        writeln!(stderr(), "{} written to {}", count(new.findings.len(), "finding"), path.display())?;
        new.apply(&mut findings, &sources, &run.root);
    } else if let Some(path) = &run.baseline {
        read_baseline(path)?.apply(&mut findings, &sources, &run.root);
    }
    let summary = Summary {
        files: read.artifacts.len(),
        modules: Some(read.artifacts.iter().map(|artifact| artifact.modules.len()).sum()),
        targets: targets(&read),
        // Of a file that can't be read there is no more to tell than that, and no flag for less.
        verbose: true,
        ..Summary::default()
    };
    let outcome = Outcome {
        findings,
        problems,
        unresolved: Vec::new(),
        summary,
        untried: None,
        regions: &[],
        sources: &sources,
    };
    let manner = Manner {
        reporting: &run,
        findings: &arguments.findings,
        color: arguments.color,
        quiet: arguments.quiet,
        cancel: &CancelFlag::default(),
        printed: Printed::default(),
    };
    conclude(outcome, &manner)
}

/// Adds to findings what the sources say of them, and gives what could not be analysed there.
fn explained(
    found: &mut [Finding],
    run: &mut Run,
    read: &Read,
    sources: &Sources,
) -> Result<Vec<Problem>, Failure> {
    let modules = read.artifacts.iter().flat_map(|artifact| &artifact.modules);
    run.settings.rdc |= modules.into_iter().any(|module| module.linkage == Linkage::Relocatable);
    built::take_targets(run, read, sources)?;
    let going =
        Going { progress: Progress::Hidden, cancel: &CancelFlag::default(), lines: None, cache: None };
    let (project, analysis, _) = analysed(run, &run.paths, sources, &going, &mut Timings::begin())?;
    explain(found, &analysis.findings);
    Ok(problems(&project.problems, &analysis, &[]))
}

fn list(format: Inventory, read: &Read) -> Result<u8, Failure> {
    let mut out = std::io::BufWriter::new(stdout().lock());
    match format {
        Inventory::Table => write_table(&inventory(&read.artifacts), &mut out)?,
        Inventory::Html => write_page(&inventory(&read.artifacts), &mut out)?,
        Inventory::Json => {
            serde_json::to_writer(&mut out, &JsonInventory::of(read)).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    drop(out);
    say_problems(read)
}

/// Tells on standard error what could not be read; the exit code says whether there is such.
fn say_problems(read: &Read) -> Result<u8, Failure> {
    for one in &read.problems {
        writeln!(stderr(), "error: {}: {}", one.path.display(), one.message)?;
    }
    Ok(if read.problems.is_empty() { exit_code::CLEAN } else { exit_code::INCOMPLETE })
}

/// Prints what the second build adds and loses. A loss counts as a finding.
fn diff(old: &PathBuf, new: &PathBuf) -> Result<u8, Failure> {
    let [old, new] = [old, new].map(|path| built::artifacts(std::slice::from_ref(path)));
    let (mut old, new) = (old?, new?);
    let difference = difference(&old.artifacts, &new.artifacts);
    write!(stdout().lock(), "{difference}")?;
    old.problems.extend(new.problems);
    let loses = !difference.lost.is_empty() || !difference.lost_on.is_empty();
    Ok(match say_problems(&old)? {
        exit_code::CLEAN if loses => exit_code::FINDINGS,
        code => code,
    })
}

/// The different lists of architectures that modules have, the one most have first.
fn targets(read: &Read) -> Vec<Targets> {
    let mut all: Vec<Targets> = Vec::new();
    for module in read.artifacts.iter().flat_map(|artifact| &artifact.modules) {
        let names: BTreeSet<_> = module.images.iter().map(|image| image.arch).collect();
        let names: Vec<String> = names.iter().map(|arch| arch.sm_name()).collect();
        match all.iter_mut().find(|one| one.names == names) {
            Some(one) => one.units += 1,
            None => all.push(Targets { names, origin: "the images".into(), units: 1 }),
        }
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.units));
    all
}
