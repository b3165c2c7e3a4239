//! One reading of a file, and how readings make a unit.
//!
//! In: what a walk found in a file, in its own numbers, and the readings of the files it includes. Out:
//! the unit's tokens in one list. A reading under all passes knows nothing of what is around it, so that
//! units can share it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::source::FileId;

use super::records::{Missing, Problem, Undefinition};
use super::text::TokenText;
use super::tokens::{Apart, ConditionalId, DefinitionId, Event, Expansion};

/// What reading a file gave, without what the files gave that it includes. Indices of tokens and
/// expansions are its own.
#[derive(Debug, Default)]
pub(crate) struct Inclusion {
    pub(crate) tokens: TokenText,
    /// [`EventKind::Enter`]'s level counts from its own.
    pub(crate) events: Vec<Event>,
    pub(crate) apart: Vec<Apart>,
    pub(crate) expansions: Vec<Expansion>,
    pub(crate) conditionals: Vec<ConditionalId>,
    pub(crate) definitions: Vec<DefinitionId>,
    pub(crate) undefinitions: Vec<Undefinition>,
    pub(crate) missing: Vec<Missing>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) unanswered: BTreeSet<String>,
    /// The files it read, in order.
    pub(crate) reads: Vec<FileRead>,
}

/// A file that was read.
#[derive(Debug)]
pub(crate) enum FileRead {
    /// As part of this reading.
    Here { file: FileId, system: bool },
    /// By itself.
    Apart(Child),
}

/// A reading inside another.
#[derive(Debug)]
pub(crate) struct Child {
    /// What of the other stands before it.
    pub(crate) after: Mark,
    /// How many files deeper than the other it is.
    pub(crate) deeper: usize,
    pub(crate) inclusion: Arc<Inclusion>,
}

/// How much of a reading there is.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mark {
    pub(crate) tokens: usize,
    pub(crate) events: usize,
    pub(crate) conditionals: usize,
    pub(crate) definitions: usize,
    pub(crate) undefinitions: usize,
    pub(crate) problems: usize,
}

impl Inclusion {
    /// What is in it, in memory that fits; it is empty then.
    pub(crate) fn fitting(&mut self) -> Inclusion {
        Inclusion {
            tokens: self.tokens.fitting(),
            events: self.events.drain(..).collect(),
            apart: self.apart.drain(..).collect(),
            expansions: self.expansions.drain(..).collect(),
            conditionals: self.conditionals.drain(..).collect(),
            definitions: self.definitions.drain(..).collect(),
            undefinitions: self.undefinitions.drain(..).collect(),
            missing: self.missing.drain(..).collect(),
            problems: self.problems.drain(..).collect(),
            unanswered: std::mem::take(&mut self.unanswered),
            reads: self.reads.drain(..).collect(),
        }
    }

    /// How much there is of it.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            tokens: self.tokens.len(),
            events: self.events.len(),
            conditionals: self.conditionals.len(),
            definitions: self.definitions.len(),
            undefinitions: self.undefinitions.len(),
            problems: self.problems.len(),
        }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &Child> {
        self.reads.iter().filter_map(|read| match read {
            FileRead::Here { .. } => None,
            FileRead::Apart(child) => Some(child),
        })
    }

    /// Shows it and all readings inside it, each before those inside it.
    pub(crate) fn each<'i>(&'i self, see: &mut impl FnMut(&'i Inclusion)) {
        see(self);
        self.children().for_each(|child| child.inclusion.each(see));
    }

    /// Shows each file that was read, in order, and whether it is one of the system's.
    pub(crate) fn each_file(&self, see: &mut impl FnMut(FileId, bool)) {
        for read in &self.reads {
            match read {
                FileRead::Here { file, system } => see(*file, *system),
                FileRead::Apart(child) => child.inclusion.each_file(see),
            }
        }
    }

    /// Shows what lists hold that readings have, in order; a [`Mark`] says how much of one there is.
    pub(crate) fn each_of<'i, T: 'i>(
        &'i self,
        list: fn(&Inclusion) -> &[T],
        count: fn(&Mark) -> usize,
        see: &mut impl FnMut(&'i T),
    ) {
        let mut from = 0;
        for child in self.children() {
            let to = count(&child.after);
            list(self)[from..to].iter().for_each(&mut *see);
            from = to;
            child.inclusion.each_of(list, count, see);
        }
        list(self)[from..].iter().for_each(see);
    }

    /// Some file that was read as part of it is wanted.
    pub(crate) fn reads_itself(&self, wanted: impl Fn(FileId) -> bool) -> bool {
        self.reads.iter().any(|read| matches!(read, FileRead::Here { file, .. } if wanted(*file)))
    }

    /// Some file that was read is wanted.
    pub(crate) fn reads_any(&self, wanted: &impl Fn(FileId) -> bool) -> bool {
        self.reads.iter().any(|read| match read {
            FileRead::Here { file, .. } => wanted(*file),
            FileRead::Apart(child) => child.inclusion.reads_any(wanted),
        })
    }
}
