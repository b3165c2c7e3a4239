//! A suppression comment for a finding, with a reason.

use crate::finding::{Edit, Finding};
use crate::source::Sources;

use super::edit::replace;

/// The comment as a line above the code to change; `None` in a file that can't be edited.
pub fn allow(finding: &Finding, reason: &str, sources: &Sources) -> Option<Edit> {
    let at = finding.primary.at;
    let file = sources.file(at.file);
    if file.built_in() {
        return None;
    }
    let start = file.line_start(file.line_index(at.start));
    let line = &file.text[start..];
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    // A comment would end a line that goes on, and the directive or macro with it.
    let before = file.text[..start].trim_end_matches(['\n', '\r']);
    if before.ends_with('\\') {
        return None;
    }
    let text = format!("{indent}// cuda-arch-lint: allow({}) -- {}\n", finding.rule, reason.trim());
    Some(replace(&file, start..start, text))
}
