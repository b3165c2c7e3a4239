//! Fixes of findings and their edits, as plain data.

use std::path::PathBuf;

/// The kind of a fix. The order is that of preference: the smallest change of meaning comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The test of the macro lets the host in, or keeps it out: `defined(__CUDA_ARCH__) && …`.
    Test,
    /// The guard moves from around a definition or a launch into the kernel's body, which traps elsewhere; or it goes.
    Body,
    /// The passes that lack a kernel get one that traps, or the same parameters.
    Stub,
    /// A type, a constant or a member moves out of the guard: one for every pass.
    Lift,
    /// The test asks `__CUDA_ARCH_LIST__`, which is the same in every pass.
    List,
    /// An instantiation is named where every pass sees it.
    Mention,
    /// The guard of an instruction tests for the targets that have it.
    Instruction,
    /// A misspelt macro gets the name that is meant.
    Spelling,
}

/// Every kind with the name it has on the command line and in an editor.
pub const KINDS: [(Kind, &str); 8] = [
    (Kind::Test, "test"),
    (Kind::Body, "body"),
    (Kind::Stub, "stub"),
    (Kind::Lift, "lift"),
    (Kind::List, "list"),
    (Kind::Mention, "mention"),
    (Kind::Instruction, "instruction"),
    (Kind::Spelling, "spelling"),
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

/// Whether a fix changes the meaning of code that some pass has.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Every pass keeps its code. Passes that lacked something get what the fix itself writes, and code that they do not
    /// compile; nothing that was there before means something else or runs otherwise for it.
    Safe,
    /// Every pass keeps its launches, its calls and its kernels' bodies, but some of its code may mean something else:
    /// a type or a constant is another, or what a pass left out is in it. So is each fix of a finding that is likely.
    Suggested,
}

impl Applicability {
    /// Its name in reports and in an editor.
    pub fn name(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Suggested => "suggested",
        }
    }
}

/// Edits that fix a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// Its kind.
    pub kind: Kind,
    /// Whether it changes the meaning of code that some pass has.
    pub applicability: Applicability,
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
