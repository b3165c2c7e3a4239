//! One reading of a file: its tokens, events and records, and the readings of the files that it includes.
//!
//! Tokens and expansions have indices of their own. A reading for all passes depends on nothing around it, so that
//! units can share it.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::source::FileId;

use super::attached::Attached;
use super::records::{Missing, Problem, Undefinition};
use super::search::{Found, Search};
use super::text::TokenText;
use super::tokens::{ConditionalId, DefinitionId, Event, Expansion, OtherOrigin};

/// One reading of a file, with the readings of the files that it includes as children.
#[derive(Debug, Default)]
pub(crate) struct Inclusion {
    pub(crate) tokens: TokenText,
    /// The level of `EventKind::Enter` counts from its own.
    pub(crate) events: Vec<Event>,
    pub(crate) other_origins: Vec<OtherOrigin>,
    pub(crate) expansions: Vec<Expansion>,
    pub(crate) conditionals: Vec<ConditionalId>,
    pub(crate) definitions: Vec<DefinitionId>,
    pub(crate) undefinitions: Vec<Undefinition>,
    pub(crate) missing: Vec<Missing>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) unanswered: BTreeSet<String>,
    /// The files it read, in order.
    pub(crate) reads: Vec<FileRead>,
    /// How its own tokens are cut into declarations.
    pub(crate) cut: Attached,
    /// What was searched for in them.
    pub(crate) found: [OnceLock<Found>; Search::COUNT],
}

/// A file that was read.
#[derive(Debug)]
pub(crate) enum FileRead {
    /// As part of the reading.
    Here { file: FileId, system: bool },
    /// As a reading of its own.
    Child(Child),
}

/// A reading inside another.
#[derive(Debug)]
pub(crate) struct Child {
    /// The position in the other reading.
    pub(crate) after: Mark,
    /// The difference of their include levels.
    pub(crate) deeper: usize,
    pub(crate) inclusion: Arc<Inclusion>,
}

/// A position in a reading: how many entries of each list stand before it.
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
    /// Moves the contents into memory of just their size; this one is empty then and keeps its memory.
    pub(crate) fn fitting(&mut self) -> Inclusion {
        Inclusion {
            tokens: self.tokens.fitting(),
            events: self.events.drain(..).collect(),
            other_origins: self.other_origins.drain(..).collect(),
            expansions: self.expansions.drain(..).collect(),
            conditionals: self.conditionals.drain(..).collect(),
            definitions: self.definitions.drain(..).collect(),
            undefinitions: self.undefinitions.drain(..).collect(),
            missing: self.missing.drain(..).collect(),
            problems: self.problems.drain(..).collect(),
            unanswered: std::mem::take(&mut self.unanswered),
            reads: self.reads.drain(..).collect(),
            cut: Attached::default(),
            found: Default::default(),
        }
    }

    /// The position at its end.
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

    /// The readings of the files that it includes.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Child> {
        self.reads.iter().filter_map(|read| match read {
            FileRead::Here { .. } => None,
            FileRead::Child(child) => Some(child),
        })
    }

    /// Visits it and all readings inside it, in preorder.
    pub(crate) fn each<'i>(&'i self, see: &mut impl FnMut(&'i Inclusion)) {
        see(self);
        self.children().for_each(|child| child.inclusion.each(see));
    }

    /// Visits each file that was read, in order, and whether it is a system header.
    pub(crate) fn each_file(&self, see: &mut impl FnMut(FileId, bool)) {
        for read in &self.reads {
            match read {
                FileRead::Here { file, system } => see(*file, *system),
                FileRead::Child(child) => child.inclusion.each_file(see),
            }
        }
    }

    /// Visits the entries of one list of all readings, in order; `count` takes its length from a [`Mark`].
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

    /// Whether a file that was read as part of it is wanted.
    pub(crate) fn reads_itself(&self, wanted: impl Fn(FileId) -> bool) -> bool {
        self.reads.iter().any(|read| matches!(read, FileRead::Here { file, .. } if wanted(*file)))
    }
}
