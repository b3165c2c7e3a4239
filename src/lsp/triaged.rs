//! What configuration files, comments and baselines leave of an analysis: the same that the command line reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::analysis::{Analysis, UnitProblem};
use crate::finding::{Finding, Reported};
use crate::source::{FileId, Sources};
use crate::triage::{Baseline, Policy, may_speak, triage};

/// Which findings are reported below a directory.
#[derive(Clone, Default)]
pub(super) struct Reporting {
    pub(super) policy: Policy,
    /// The baseline's file, and where the paths in it begin.
    pub(super) baseline: Option<(PathBuf, PathBuf)>,
}

/// Which findings are reported below each directory that says so; the nearest counts.
#[derive(Default)]
pub(super) struct Policies(pub(super) BTreeMap<PathBuf, Reporting>);

impl Policies {
    /// The directory whose policy counts for a file; `None` where there is no configuration.
    fn directory(&self, path: &Path) -> Option<&PathBuf> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let around = self.0.keys().filter(|directory| path.starts_with(directory));
        around.max_by_key(|directory| directory.as_os_str().len())
    }

    /// What counts for a file.
    pub(super) fn of(&self, path: &Path) -> Option<&Reporting> {
        self.0.get(self.directory(path)?)
    }
}

/// The findings that are reported, at their levels, and problems, remarks about comments among them.
pub(super) struct Triaged {
    pub(super) findings: Vec<Reported>,
    pub(super) problems: Vec<UnitProblem>,
    /// Those of the problems that are about a comment that allows nothing.
    pub(super) remarks: usize,
}

/// Whether texts have comments for us, found out once a text: most files are headers that nobody edits.
#[derive(Default)]
pub(super) struct Speaking(FxHashMap<FileId, bool>);

impl Speaking {
    /// Leaves of the files those that have some.
    fn filter(&mut self, files: &mut Vec<FileId>, sources: &Sources) {
        let known = std::mem::take(&mut self.0);
        for file in files.iter() {
            let speaks = known.get(file).copied().unwrap_or_else(|| may_speak(&sources.file(*file)));
            self.0.insert(*file, speaks);
        }
        files.retain(|file| self.0[file]);
    }
}

/// What is reported of an analysis.
pub(super) fn triaged(
    mut analysis: Analysis,
    policies: &Policies,
    speaking: &mut Speaking,
    sources: &Sources,
) -> Triaged {
    speaking.filter(&mut analysis.files, sources);
    let none = Reporting::default();
    let directory_of = |file: FileId| policies.directory(&sources.file(file).path);
    let mut parts: BTreeMap<Option<&PathBuf>, (Vec<Finding>, Vec<FileId>)> = BTreeMap::new();
    for file in &analysis.files {
        parts.entry(directory_of(*file)).or_default().1.push(*file);
    }
    for finding in analysis.findings {
        parts.entry(directory_of(finding.primary.at.file)).or_default().0.push(finding);
    }
    let mut triaged = Triaged { findings: Vec::new(), problems: Vec::new(), remarks: 0 };
    for (directory, (findings, files)) in parts {
        let reporting = directory.map_or(&none, |directory| &policies.0[directory]);
        let (mut reported, remarks) = triage(findings, &files, &reporting.policy, sources);
        if let Some((file, root)) = &reporting.baseline
            && let Some(baseline) = read(file)
        {
            baseline.apply(&mut reported, sources, root);
        }
        triaged.findings.extend(reported.into_iter().filter(|one| one.silenced.is_none()));
        triaged.problems.extend(remarks.into_iter().map(|remark| UnitProblem {
            unit: sources.file(remark.at.file).path.clone(),
            message: remark.message,
            at: Some(remark.at),
            incomplete: false,
        }));
    }
    triaged.remarks = triaged.problems.len();
    triaged.problems.extend(analysis.problems);
    triaged
}

/// The baseline in a file, if there is one that can be read.
pub(super) fn read(file: &Path) -> Option<Baseline> {
    Baseline::read(&std::fs::read_to_string(file).ok()?).ok()
}
