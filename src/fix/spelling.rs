//! The name that is meant in the place of a misspelt macro.

use crate::finding::Kind;

use super::context::Context;
use super::edit::{Candidate, replace};

/// Writes the macro as nvcc does, at the place of the finding.
pub(super) fn fixes(context: &Context<'_>, meant: &str) -> Vec<Candidate> {
    let finding = context.finding;
    let at = finding.primary.at;
    let Some(file) = context.file(at.file) else { return Vec::new() };
    let range = at.start as usize..at.end as usize;
    if file.text.get(range.clone()) != Some(finding.entity.as_str()) {
        return Vec::new();
    }
    let title = format!("Write `{meant}`");
    vec![Candidate { kind: Kind::Spelling, title, edits: vec![replace(&file, range, meant)] }]
}
