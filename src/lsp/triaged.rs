//! Applies configuration files, suppression comments and baselines to the findings of an analysis, with the same
//! result as on the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::analysis::{Analysis, UnitProblem};
use crate::finding::{Finding, Reported};
use crate::source::read_utf8;
use crate::source::{FileId, Sources};
use crate::triage::{Baseline, Policy, may_speak, triage};

/// The triage settings of a directory.
#[derive(Clone, Default)]
pub(super) struct TriageSettings {
    pub(super) policy: Policy,
    /// The baseline's file, and the directory against which the paths in it are resolved.
    pub(super) baseline: Option<(PathBuf, PathBuf)>,
}

/// The triage settings of each directory that has a configuration file. For a file, the nearest directory counts.
#[derive(Default)]
pub(super) struct TriageByDirectory(pub(super) BTreeMap<PathBuf, TriageSettings>);

impl TriageByDirectory {
    /// The directory whose settings apply to a file; `None` if there is none.
    fn directory(&self, path: &Path) -> Option<&PathBuf> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let around = self.0.keys().filter(|directory| path.starts_with(directory));
        around.max_by_key(|directory| directory.as_os_str().len())
    }

    /// The settings that apply to a file.
    pub(super) fn of(&self, path: &Path) -> Option<&TriageSettings> {
        self.0.get(self.directory(path)?)
    }
}

/// Findings at their final levels, and problems including remarks about suppression comments.
pub(super) struct Triaged {
    pub(super) findings: Vec<Reported>,
    pub(super) problems: Vec<UnitProblem>,
    /// The number of problems that concern suppression comments.
    pub(super) remarks: usize,
}

/// Which files contain suppression comments, looked for once for each text: most files are unedited headers.
#[derive(Default)]
pub(super) struct FilesWithComments(FxHashMap<FileId, bool>);

impl FilesWithComments {
    /// Keeps the files that contain suppression comments.
    fn filter(&mut self, files: &mut Vec<FileId>, sources: &Sources) {
        let known = std::mem::take(&mut self.0);
        for file in files.iter() {
            let speaks = known.get(file).copied().unwrap_or_else(|| may_speak(&sources.file(*file)));
            self.0.insert(*file, speaks);
        }
        files.retain(|file| self.0[file]);
    }
}

/// Applies triage to an analysis.
pub(super) fn triaged(
    mut analysis: Analysis,
    policies: &TriageByDirectory,
    with_comments: &mut FilesWithComments,
    sources: &Sources,
) -> Triaged {
    with_comments.filter(&mut analysis.files, sources);
    let none = TriageSettings::default();
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
        triaged.findings.extend(reported.into_iter().filter(|one| one.suppression.is_none()));
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

/// Reads a baseline; `None` if there is no such file or it can't be read.
pub(super) fn read(file: &Path) -> Option<Baseline> {
    Baseline::read(&read_utf8(file).ok()?).ok()
}
