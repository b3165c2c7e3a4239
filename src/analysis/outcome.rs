//! The outcome of analysing one unit, as plain data.

use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::finding::{Finding, Region};
use crate::rules::Summary;
use crate::source::{FileId, Span};

/// The outcome of analysing one unit.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What the rules found in it.
    pub(super) findings: Vec<Finding>,
    /// What could not be done.
    pub(super) problems: Vec<UnitProblem>,
    /// The files it read.
    pub(super) files: Vec<FileId>,
    /// Those of them that are the system's.
    pub(super) system: FxHashSet<FileId>,
    /// The groups of conditionals in the others.
    pub(super) regions: Vec<Region>,
    /// The headers it did not find, as spelled.
    pub(super) missing: Vec<String>,
    /// The macros its conditions read that a missing header may define.
    pub(super) undefined: Vec<String>,
    /// Facts for the rules across units; `None` for a unit whose analysis failed.
    pub(super) summary: Option<Summary>,
    /// How many bytes of parsed declarations the grammar could not make sense of.
    pub(super) error_bytes: usize,
}

impl Outcome {
    /// The files of the build that its findings may point at.
    pub(super) fn build_files(&self) -> impl Iterator<Item = FileId> {
        let stated = self.summary.iter().filter_map(|summary| summary.stated.as_ref()).map(|one| one.at.file);
        let recipes = self.summary.iter().flat_map(|summary| &summary.recipes).map(|one| one.at.file);
        stated.chain(recipes)
    }
}

/// A problem in a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitProblem {
    /// The unit's main file.
    pub unit: PathBuf,
    /// What is wrong, one sentence in lower case without a full stop.
    pub message: String,
    /// Where, if at a place.
    pub at: Option<Span>,
    /// Part of the unit was not analysed, so silence about it means nothing (exit code 3).
    pub incomplete: bool,
}
