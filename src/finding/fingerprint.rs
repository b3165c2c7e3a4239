//! Fingerprints: they identify findings over the history of a project.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::source::Sources;

use super::model::Finding;

/// The fingerprint of each finding, in their order: 16 hexadecimal digits made of the rule, the entity and
/// the text of the primary line without blanks; then how many of the same came before, from 1.
///
/// It survives lines that move and files that are renamed. The targets, and so the sides, have
/// no part in it.
pub fn fingerprints(findings: &[Finding], sources: &Sources) -> Vec<String> {
    let mut numbered = Numbered::default();
    findings.iter().map(|finding| numbered.fingerprint(finding, sources)).collect()
}

/// How many findings of each key there were.
#[derive(Debug, Default)]
pub struct Numbered(HashMap<String, u32>);

impl Numbered {
    /// The fingerprint of the next finding.
    pub fn fingerprint(&mut self, finding: &Finding, sources: &Sources) -> String {
        let key = key(finding, sources);
        let count = self.0.entry(key.clone()).or_default();
        *count += 1;
        format!("{key}:{count}")
    }
}

fn key(finding: &Finding, sources: &Sources) -> String {
    let at = finding.primary.at;
    let file = sources.file(at.file);
    let line = file.line_text(file.line_index(at.start));
    let mut hash = Sha256::new();
    for part in [finding.rule, &finding.entity] {
        Digest::update(&mut hash, part);
        Digest::update(&mut hash, [0]);
    }
    Digest::update(&mut hash, line.split_whitespace().collect::<String>());
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
