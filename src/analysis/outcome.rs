//! The outcome of analysing one unit, as plain data.

use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::facts::BlindSpot;
use crate::finding::{Finding, Region};
use crate::rules::Summary;
use crate::source::{FileId, Span};

use super::timing::UnitTimes;

/// The outcome of analysing one unit.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The findings of the rules that look at one unit.
    pub(super) findings: Vec<Finding>,
    /// The problems that the stages met.
    pub(super) problems: Vec<UnitProblem>,
    /// The files it read.
    pub(super) files: Vec<FileId>,
    /// The files that it read besides, for targets that it does not have.
    pub(super) also_read: Vec<FileId>,
    /// The bytes of the files it read, of system headers a sixteenth.
    pub(super) bytes: usize,
    /// The system headers among them.
    pub(super) system: FxHashSet<FileId>,
    /// The groups of conditionals in the others.
    pub(super) regions: Vec<Region>,
    /// The headers it did not find, as spelled.
    pub(super) missing: Vec<String>,
    /// The macros its conditions read that a missing header may define.
    pub(super) undefined: Vec<String>,
    /// Facts for the rules across units; `None` for a unit whose analysis failed.
    pub(super) summary: Option<Summary>,
    /// The mentions of kernel templates of which it is not known what they instantiate, though nothing about them
    /// differs between passes.
    pub(super) unresolved: Vec<BlindSpot>,
    /// The number of bytes of parsed declarations that the grammar could not make sense of.
    pub(super) error_bytes: usize,
    /// How long its stages took; `None` for a unit whose analysis failed.
    pub(super) times: Option<UnitTimes>,
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
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct UnitProblem {
    /// The unit's main file.
    pub unit: PathBuf,
    /// The problem, one sentence in lower case without a full stop.
    pub message: String,
    /// Its place, if it has one.
    pub at: Option<Span>,
    /// Part of the unit was not analysed, so silence about it means nothing (exit code 3).
    pub incomplete: bool,
}
