//! What configuration files and comments leave of an analysis: the same that the command line reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::analysis::{Analysis, UnitProblem};
use crate::finding::Finding;
use crate::source::{FileId, Sources};
use crate::triage::{Policy, triage};

/// Which findings are reported below each directory with a configuration file; the nearest counts.
#[derive(Default)]
pub(super) struct Policies(pub(super) BTreeMap<PathBuf, Policy>);

impl Policies {
    /// The directory whose policy counts for a file; `None` where there is no configuration.
    fn directory(&self, path: &Path) -> Option<&PathBuf> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let around = self.0.keys().filter(|directory| path.starts_with(directory));
        around.max_by_key(|directory| directory.as_os_str().len())
    }
}

/// The analysis with the findings that are reported, at their levels, and remarks about comments as problems.
pub(super) fn triaged(mut analysis: Analysis, policies: &Policies, sources: &Sources) -> Analysis {
    let none = Policy::default();
    let directory_of = |file: FileId| policies.directory(&sources.file(file).path);
    let mut parts: BTreeMap<Option<&PathBuf>, (Vec<Finding>, Vec<FileId>)> = BTreeMap::new();
    for file in &analysis.files {
        parts.entry(directory_of(*file)).or_default().1.push(*file);
    }
    for finding in analysis.findings.drain(..) {
        parts.entry(directory_of(finding.primary.at.file)).or_default().0.push(finding);
    }
    for (directory, (findings, files)) in parts {
        let policy = directory.map_or(&none, |directory| &policies.0[directory]);
        let (reported, remarks) = triage(findings, &files, policy, sources);
        let loud = reported.into_iter().filter(|one| one.silenced.is_none());
        analysis.findings.extend(loud.map(|one| one.finding));
        analysis.problems.extend(remarks.into_iter().map(|remark| UnitProblem {
            unit: sources.file(remark.at.file).path.clone(),
            message: remark.message,
            at: Some(remark.at),
            incomplete: false,
        }));
    }
    analysis
}
