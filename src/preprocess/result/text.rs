//! The token list of one reading of a file.
//!
//! Tokens that stand as they are written are not copied but referred to: most of a header's text is such, and units
//! that share the header share them.

use std::ops::Range;
use std::sync::Arc;

use crate::source::{SourceFile, Token};
use crate::target::PassSet;

use super::tokens::{ExpansionId, GroupId, PpToken};

/// A list of tokens, of which those as written are runs of their file.
#[derive(Debug, Default)]
pub(crate) struct TokenText {
    /// Tokens that macros made, or that were added one by one.
    made: Vec<PpToken>,
    /// Runs of tokens between them.
    runs: Vec<Run>,
    /// The files of the runs.
    files: Vec<Arc<SourceFile>>,
    length: usize,
}

/// Tokens that stand in a file one after another, between two of its directives.
#[derive(Debug)]
struct Run {
    /// How many made tokens stand before it.
    after: u32,
    /// Index of its file.
    file: u32,
    /// The number of the directive that it stands before, and its range of the tokens there.
    section: u32,
    from: u32,
    count: u32,
    group: Option<GroupId>,
    passes: PassSet,
}

impl TokenText {
    /// The number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Appends a token.
    pub(crate) fn push(&mut self, token: PpToken) {
        self.made.push(token);
        self.length += 1;
    }

    /// Appends tokens as they are written before a directive.
    pub(crate) fn extend(
        &mut self,
        file: &Arc<SourceFile>,
        section: usize,
        part: Range<usize>,
        group: Option<GroupId>,
        passes: PassSet,
    ) {
        let number = |index: usize| u32::try_from(index).expect("fewer than 2^32, since the token limit is");
        let known = self.files.iter().rposition(|known| known.id == file.id);
        let index = known.unwrap_or_else(|| {
            self.files.push(file.clone());
            self.files.len() - 1
        });
        self.runs.push(Run {
            after: number(self.made.len()),
            file: number(index),
            section: number(section),
            from: number(part.start),
            count: number(part.len()),
            group,
            passes,
        });
        self.length += part.len();
    }

    /// Moves the contents into memory of just their size; this one is empty then and keeps its memory.
    pub(crate) fn fitting(&mut self) -> TokenText {
        TokenText {
            made: self.made.drain(..).collect(),
            runs: self.runs.drain(..).collect(),
            files: self.files.drain(..).collect(),
            length: std::mem::take(&mut self.length),
        }
    }

    /// A reader at its beginning.
    pub(crate) fn reader(&self) -> TextReader<'_> {
        TextReader { text: self, run: 0, within: 0, made: 0, read: 0 }
    }
}

/// Reads a [`TokenText`] part by part.
pub(crate) struct TextReader<'t> {
    text: &'t TokenText,
    /// The run that comes next, or is being read, and how much of it is.
    run: usize,
    within: u32,
    /// How many made tokens are read.
    made: usize,
    /// How many tokens are read.
    read: usize,
}

impl TextReader<'_> {
    /// Appends the unread tokens before the token of number `to` to `out`.
    pub(crate) fn copy(
        &mut self,
        to: usize,
        out: &mut Vec<PpToken>,
        shifted: impl Fn(ExpansionId) -> ExpansionId,
    ) {
        let made = |token: &PpToken| PpToken { expansion: token.expansion.map(&shifted), ..*token };
        while self.read < to {
            let left = to - self.read;
            let run = self.text.runs.get(self.run);
            let before = run.map_or(self.text.made.len(), |run| run.after as usize);
            if self.made < before {
                let count = left.min(before - self.made);
                out.extend(self.text.made[self.made..self.made + count].iter().map(made));
                self.made += count;
                self.read += count;
            } else if let Some(run) = run {
                let count = left.min((run.count - self.within) as usize);
                let from = (run.from + self.within) as usize;
                let file = &self.text.files[run.file as usize];
                let tokens = &file.run(run.section as usize)[from..from + count];
                let written = |token: &Token| PpToken::written(token, file.id, run.group, run.passes);
                out.extend(tokens.iter().map(written));
                self.read += count;
                self.within += count as u32;
                if self.within == run.count {
                    (self.run, self.within) = (self.run + 1, 0);
                }
            } else {
                return;
            }
        }
    }
}
