//! A baseline: findings that are known and suppressed until somebody fixes them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::finding::{Reported, Suppression, slashed};
use crate::source::Sources;

/// The layout's version.
const VERSION: u32 = 1;

/// Known findings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The layout's version.
    version: u32,
    /// The findings, sorted by path, rule and entity, so that merges seldom conflict.
    pub findings: Vec<Entry>,
}

/// A known finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The file, relative to the project's root.
    pub path: String,
    /// The rule's id.
    pub rule: String,
    /// The entity that differs.
    pub entity: String,
    /// Its fingerprint.
    pub fingerprint: String,
}

/// Why a text is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not as baselines are written.
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
    /// A later program wrote it.
    #[error("it has layout version {0}, and this program knows {VERSION}")]
    Version(u32),
}

impl Baseline {
    /// The findings that no comment suppresses.
    pub fn of(findings: &[Reported], sources: &Sources, root: &Path) -> Baseline {
        let wanted = findings.iter().filter(|one| !matches!(one.suppression, Some(Suppression::Source(_))));
        let mut findings: Vec<Entry> = wanted.map(|one| entry(one, sources, root)).collect();
        findings.sort();
        Baseline { version: VERSION, findings }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// When it is not one, or a later program's.
    pub fn read(text: &str) -> Result<Baseline, BaselineError> {
        let baseline: Baseline = serde_json::from_str(text)?;
        if baseline.version == VERSION { Ok(baseline) } else { Err(BaselineError::Version(baseline.version)) }
    }

    /// The baseline as a file's text.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and a number can be written") + "\n"
    }

    /// Suppresses the findings that the baseline has. A finding is an old one if its fingerprint is that of an entry, which
    /// moved lines and renamed files leave as it is; or if the same entity differs by the same rule in the same file,
    /// though its line was edited. Each entry matches one finding. Returns the entries that match none.
    pub fn apply(&self, findings: &mut [Reported], sources: &Sources, root: &Path) -> Vec<Entry> {
        let of: Vec<Entry> = findings.iter().map(|one| entry(one, sources, root)).collect();
        let mut left: BTreeMap<usize, &Entry> = self.findings.iter().enumerate().collect();
        let rounds: [fn(&Entry) -> [&str; 4]; 4] = [
            |one| [&one.rule, &one.entity, &one.path, &one.fingerprint],
            |one| [&one.rule, "", &one.path, key(one)],
            |one| [&one.rule, "", "", key(one)],
            |one| [&one.rule, &one.entity, &one.path, ""],
        ];
        for same in rounds {
            let mut old: HashMap<[&str; 4], VecDeque<usize>> = HashMap::new();
            for (index, entry) in &left {
                old.entry(same(entry)).or_default().push_back(*index);
            }
            for (one, new) in findings.iter_mut().zip(&of).filter(|(one, _)| one.suppression.is_none()) {
                if let Some(index) = old.get_mut(&same(new)).and_then(VecDeque::pop_front) {
                    left.remove(&index);
                    one.suppression = Some(Suppression::Baseline);
                }
            }
        }
        left.into_values().cloned().collect()
    }

    /// The baseline without these entries.
    #[must_use]
    pub fn without(mut self, fixed: &[Entry]) -> Baseline {
        for entry in fixed {
            if let Some(index) = self.findings.iter().position(|one| one == entry) {
                self.findings.remove(index);
            }
        }
        self
    }
}

/// A fingerprint without the number that tells equal ones apart.
fn key(entry: &Entry) -> &str {
    entry.fingerprint.split(':').next().unwrap_or_default()
}

fn entry(one: &Reported, sources: &Sources, root: &Path) -> Entry {
    let file = sources.file(one.finding.primary.at.file);
    let real = file.path.canonicalize().unwrap_or_else(|_| PathBuf::from(&file.path));
    let path = slashed(real.strip_prefix(root).unwrap_or(&real));
    Entry {
        path,
        rule: one.finding.rule.to_string(),
        entity: one.finding.entity.clone(),
        fingerprint: one.fingerprint.clone(),
    }
}
