//! Code actions for a finding: quick fixes, suppressing it, adding it to the baseline, and showing the rule's card.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, Range};
use serde_json::{Map, Value, json};

use crate::finding::{Applicability, Edit, Fix};
use crate::source::Sources;

use super::capabilities::{ADD_TO_BASELINE, ClientFeatures, EXPLAIN};
use super::documents::Document;
use super::position::Lines;
use super::uri;

/// The client's abilities and the open documents, from which edits are built.
pub(super) struct EditContext<'e> {
    pub(super) sources: &'e Sources,
    pub(super) open: &'e BTreeMap<PathBuf, Document>,
    pub(super) features: ClientFeatures,
}

impl EditContext<'_> {
    /// The code action for a fix of a finding, the `number`th of it. An editor may do the preferred one unasked, so that
    /// is a safe one.
    pub(super) fn fix(&self, fix: &Fix, diagnostic: &Diagnostic, number: usize) -> Value {
        let is_safe = fix.applicability == Applicability::Safe;
        let title = if is_safe { fix.title.clone() } else { format!("Suggested: {}", fix.title) };
        let mut action = self.edit(&title, &fix.edits, diagnostic);
        action["isPreferred"] = (is_safe && number == 0).into();
        action["data"] = json!({"kind": fix.kind.name(), "applicability": fix.applicability.name()});
        action
    }

    /// A code action that makes these edits.
    pub(super) fn edit(&self, title: &str, edits: &[Edit], diagnostic: &Diagnostic) -> Value {
        let mut by_file: BTreeMap<&Path, Vec<Value>> = BTreeMap::new();
        for edit in edits {
            if let Ok(file) = self.sources.read(&edit.path) {
                let lines = Lines::new(&file.text, self.features.encoding);
                let range = lines.range(edit.start as u32, edit.end as u32);
                by_file.entry(&edit.path).or_default().push(json!({"range": range, "newText": edit.text}));
            }
        }
        let mut changes = Map::new();
        let mut versioned = Vec::new();
        for (path, edits) in by_file {
            let document = self.open.get(path);
            let Some(uri) = document.map(|document| document.uri.clone()).or_else(|| uri::from_path(path))
            else {
                continue;
            };
            let version = document.map(|document| document.version);
            versioned.push(json!({"textDocument": {"uri": uri, "version": version}, "edits": edits}));
            changes.insert(uri.as_str().to_string(), edits.into());
        }
        let edit = match self.features.versioned_edits {
            true => json!({"documentChanges": versioned}),
            false => json!({"changes": changes}),
        };
        json!({"title": title, "kind": "quickfix", "diagnostics": [diagnostic], "edit": edit})
    }
}

/// The code action that shows the rule's card.
pub(super) fn explain(rule: &str, diagnostic: &Diagnostic) -> Value {
    let title = format!("Explain `{rule}`");
    json!({
        "title": title,
        "kind": "quickfix",
        "diagnostics": [diagnostic],
        "command": {"title": title, "command": EXPLAIN, "arguments": [rule]},
    })
}

/// The code action that adds the finding to the baseline.
pub(super) fn add_to_baseline(fingerprint: &str, file: &Path, diagnostic: &Diagnostic) -> Value {
    let title = format!("Add it to the baseline `{}`", crate::report::display_path(file));
    json!({
        "title": title,
        "kind": "quickfix",
        "diagnostics": [diagnostic],
        "command": {"title": title, "command": ADD_TO_BASELINE, "arguments": [fingerprint]},
    })
}

/// Whether two ranges overlap or touch.
pub(super) fn overlap_or_touch(left: Range, right: Range) -> bool {
    left.start <= right.end && right.start <= left.end
}
