//! `audit`: findings in what was built, and lists of it.

use std::collections::BTreeSet;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use crate::artifact::{Read, read};
use crate::audit::{JsonInventory, audit as findings_of, difference, inventory, write_page, write_table};
use crate::report::{Layout, Problem, Report, Summary, Targets, count};
use crate::source::Sources;
use crate::triage::{Baseline, triage};

use super::arguments::{AuditArguments, Inventory};
use super::one_run::{keep_most_severe, read_baseline, write_text};
use super::resolve;
use super::{Failure, exit_code, output};

/// Reads what is named and prints what was asked for.
pub(super) fn audit(arguments: &AuditArguments) -> Result<u8, Failure> {
    if let Some([old, new]) = arguments.diff.as_deref() {
        return diff(old, new);
    }
    let run = resolve::audit(arguments)?;
    output::check(&run.outputs)?;
    let mut read = looked_at(&arguments.paths)?;
    read.artifacts.retain(|artifact| !run.policy.exclude.has(&artifact.path));
    if let Some(format) = arguments.list {
        return list(format, &read);
    }
    let sources = Sources::new();
    let (found, _) = findings_of(&read, &arguments.paths, &sources);
    let (mut findings, _) = triage(found, &[], &run.policy, &sources);
    if let Some(path) = &arguments.findings.write_baseline {
        let new = Baseline::of(&findings, &sources, &run.root);
        write_text(path, &new.text())?;
        writeln!(stderr(), "{} written to {}", count(new.findings.len(), "finding"), path.display())?;
        new.apply(&mut findings, &sources, &run.root);
    } else if let Some(path) = &run.baseline {
        read_baseline(path)?.apply(&mut findings, &sources, &run.root);
    }
    let problems: Vec<Problem> = problems(&read);
    let mut summary = Summary {
        files: read.artifacts.len(),
        modules: Some(read.artifacts.iter().map(|artifact| artifact.modules.len()).sum()),
        targets: targets(&read),
        incomplete: !problems.is_empty(),
        ..Summary::default()
    };
    summary.count(&findings);
    let fails = findings.iter().any(|one| one.suppression.is_none() && one.finding.level >= run.fail_on);
    summary.left_out = keep_most_severe(&mut findings, run.max_findings);
    let layout = Layout {
        root: run.root.clone(),
        width: None,
        category: run.category.clone(),
        with_suppressed: arguments.findings.show_suppressed,
        quiet: arguments.quiet,
    };
    let mut report = Report {
        findings: &findings,
        problems,
        unresolved: Vec::new(),
        summary,
        regions: &[],
        sources: &sources,
        layout,
    };
    output::write_all(&mut report, &run.outputs, arguments.color)?;
    Ok(match (report.summary.incomplete, fails && !arguments.findings.exit_zero) {
        (true, _) => exit_code::INCOMPLETE,
        (false, true) => exit_code::FINDINGS,
        (false, false) => exit_code::CLEAN,
    })
}

/// The artifacts at `paths`.
fn looked_at(paths: &[PathBuf]) -> Result<Read, Failure> {
    if let Some(path) = paths.iter().find(|path| !path.exists()) {
        return Err(Failure::Usage {
            message: format!("no such file or directory: `{}`", path.display()),
            help: "name what was built: objects, libraries, executables, packages".into(),
        });
    }
    let read = read(paths);
    if read.artifacts.is_empty() && read.problems.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(Failure::Usage {
            message: format!("no device code in {}", names.join(", ")),
            help: "sources are looked at by `check`".into(),
        });
    }
    Ok(read)
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
    let [old, new] = [old, new].map(|path| looked_at(std::slice::from_ref(path)));
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

fn problems(read: &Read) -> Vec<Problem> {
    let problem = |one: &crate::artifact::Unread| Problem {
        path: one.path.clone(),
        message: one.message.clone(),
        at: None,
        incomplete: true,
    };
    read.problems.iter().map(problem).collect()
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
