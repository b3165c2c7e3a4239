//! A finding with the texts around it, as the makers of fixes look at it.

use std::sync::Arc;

use crate::finding::Finding;
use crate::source::{FileId, SourceFile, Sources, Span};

use super::written::{self, Written};

/// A finding and the texts it points into.
pub(super) struct Context<'c> {
    pub(super) finding: &'c Finding,
    pub(super) sources: &'c Sources,
}

impl Context<'_> {
    /// A file that can be edited: one that did not come with the program.
    pub(super) fn file(&self, id: FileId) -> Option<Arc<SourceFile>> {
        Some(self.sources.file(id)).filter(|file| !file.built_in())
    }

    /// The directive that decides, then those that the macros in its condition come from; where none is known, those
    /// in the finding's file that ask for the architecture.
    pub(super) fn deciding(&self) -> Vec<Span> {
        let Some(deciding) = &self.finding.deciding else { return self.asking() };
        let mut places = vec![deciding.at];
        for step in &deciding.derivation {
            if let Some(at) = step.at
                && !places.contains(&at)
            {
                places.push(at);
            }
        }
        places
    }

    /// The conditionals in the finding's file that ask for the architecture.
    pub(super) fn asking(&self) -> Vec<Span> {
        let at = self.finding.primary.at;
        let Some(file) = self.file(at.file) else { return Vec::new() };
        let written = written(&file);
        let asking = written.conditionals.iter().filter(|one| written.asks_for_architecture(one));
        let directive =
            |arm: &written::Arm| Span { file: at.file, start: arm.at as u32, end: arm.condition.end as u32 };
        asking.map(|one| directive(&one.arms[0])).collect()
    }

    /// Of the conditionals that decide: the file, and the number of the arm whose directive is meant.
    pub(super) fn conditionals(&self) -> Vec<(Arc<SourceFile>, Span)> {
        self.deciding().into_iter().filter_map(|at| Some((self.file(at.file)?, at))).collect()
    }

    /// The name of what differs, without its scopes.
    pub(super) fn name(&self) -> &str {
        let entity = &self.finding.entity;
        entity.rsplit("::").next().unwrap_or(entity)
    }
}

/// Looks at a file as it is written.
pub(super) fn written(file: &SourceFile) -> Written<'_> {
    Written::new(&file.text)
}
