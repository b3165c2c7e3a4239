//! Fixes: edits of the sources that make a finding disappear, tried before they are offered.
//!
//! In: a finding and the texts it points into. Out: [`Fix`]es, each a few replacements of text. Candidates come from
//! the text around the finding ([`candidates`]), one file for each kind; a [`Trial`] then analyses the edited texts, and a
//! candidate that leaves the finding, or causes another, is not offered. Knows nothing of terminals or of the
//! protocol.

mod condition;
mod guard;
mod head;
mod instruction;
mod lift;
mod mention;
mod suppress;
mod trial;
mod written;

use std::path::PathBuf;
use std::sync::Arc;

use crate::finding::{Defect, Finding};
use crate::source::{FileId, SourceFile, Sources, Span};

use written::Written;

pub use suppress::allow;
pub use trial::Trial;

/// The kind of a fix. The order is that of preference: the smallest change of meaning comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The test of the macro lets the host in, or keeps it out: `defined(__CUDA_ARCH__) && …`.
    Test,
    /// The guard moves from around a definition or a launch into the kernel's body.
    Body,
    /// The passes that lack a kernel get one with an empty body, or the same parameters.
    Stub,
    /// A type, a constant or a member moves out of the guard: one for every pass.
    Lift,
    /// The test asks `__CUDA_ARCH_LIST__`, which is the same in every pass.
    List,
    /// An instantiation is named where every pass sees it.
    Mention,
    /// The guard of an instruction tests for the targets that have it.
    Instruction,
}

/// Every kind with the name it has on the command line and in an editor.
pub const KINDS: [(Kind, &str); 7] = [
    (Kind::Test, "test"),
    (Kind::Body, "body"),
    (Kind::Stub, "stub"),
    (Kind::Lift, "lift"),
    (Kind::List, "list"),
    (Kind::Mention, "mention"),
    (Kind::Instruction, "instruction"),
];

impl Kind {
    /// Its name on the command line and in an editor.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Kind> {
        KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// A replacement of text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// First byte that is replaced.
    pub start: usize,
    /// One past the last byte that is replaced; `start` for an insertion.
    pub end: usize,
    /// The replacement.
    pub text: String,
}

/// Edits that fix a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// Its kind.
    pub kind: Kind,
    /// A sentence without a full stop: "Move the guard into the body of `gemm`".
    pub title: String,
    /// The replacements, by path and place; none overlaps another.
    pub edits: Vec<Edit>,
}

/// The text after the edits of a file, which do not overlap.
pub fn applied<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> String {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        result.push_str(&text[at..edit.start]);
        result.push_str(&edit.text);
        at = edit.end;
    }
    result.push_str(&text[at..]);
    result
}

/// The candidates for a finding in the order of preference, not tried yet.
pub fn candidates(finding: &Finding, sources: &Sources) -> Vec<Fix> {
    let context = Context { finding, sources };
    let mut fixes = Vec::new();
    match &finding.defect {
        Defect::InstructionMissing { narrowest } => fixes.extend(instruction::fixes(&context, narrowest)),
        Defect::IntrinsicMissing => {}
        Defect::TypeDiffers | Defect::KernelMissing | Defect::InstantiationMissing { .. } | Defect::Other => {
            fixes.extend(condition::tests(&context));
            fixes.extend(guard::fixes(&context));
            fixes.extend(head::fixes(&context));
            fixes.extend(lift::fixes(&context));
            fixes.extend(condition::lists(&context));
            fixes.extend(mention::fixes(&context));
        }
    }
    let mut different: Vec<Fix> = Vec::new();
    for mut fix in fixes {
        fix.edits.sort();
        fix.edits.dedup();
        let apart =
            fix.edits.windows(2).all(|pair| pair[0].path != pair[1].path || pair[0].end <= pair[1].start);
        if apart && !fix.edits.is_empty() && different.iter().all(|known| known.edits != fix.edits) {
            different.push(fix);
        }
    }
    different.sort_by_key(|fix| fix.kind);
    different
}

/// A finding and the texts it points into.
struct Context<'c> {
    finding: &'c Finding,
    sources: &'c Sources,
}

impl Context<'_> {
    /// A file that can be edited: one that did not come with the program.
    fn file(&self, id: FileId) -> Option<Arc<SourceFile>> {
        Some(self.sources.file(id)).filter(|file| !file.built_in())
    }

    /// The directive that decides, then those that the macros in its condition come from; where none is known, those
    /// in the finding's file that ask for the architecture.
    fn deciding(&self) -> Vec<Span> {
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
    fn asking(&self) -> Vec<Span> {
        let at = self.finding.primary.at;
        let Some(file) = self.file(at.file) else { return Vec::new() };
        let written = written(&file);
        let asking = written.conditionals.iter().filter(|one| written.asks_for_architecture(one));
        let directive =
            |arm: &written::Arm| Span { file: at.file, start: arm.at as u32, end: arm.condition.end as u32 };
        asking.map(|one| directive(&one.arms[0])).collect()
    }

    /// Of the conditionals that decide: the file, and the number of the arm whose directive is meant.
    fn conditionals(&self) -> Vec<(Arc<SourceFile>, Span)> {
        self.deciding().into_iter().filter_map(|at| Some((self.file(at.file)?, at))).collect()
    }

    /// The name of the entity, without its scopes.
    fn name(&self) -> &str {
        let entity = &self.finding.entity;
        entity.rsplit("::").next().unwrap_or(entity)
    }
}

/// Replaces a range of a file.
fn replace(file: &SourceFile, range: std::ops::Range<usize>, text: impl Into<String>) -> Edit {
    Edit { path: file.path.clone(), start: range.start, end: range.end, text: text.into() }
}

/// The source text of a file, before preprocessing.
fn written(file: &SourceFile) -> Written<'_> {
    Written::new(&file.text)
}
