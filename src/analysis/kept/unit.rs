//! A unit with what an analysis found in it, in this process and in a file.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::analysis::outcome::Outcome;
use crate::analysis::pipeline::{recipes, stated};
use crate::custom::{CustomRules, digest};
use crate::preprocess::Lookups;
use crate::project::{ProjectProblem, TargetOrigin, TranslationUnit, UnitKind};
use crate::source::{FileId, Sources};
use crate::target::Passes;

use super::body;
use super::container::{self, Container, Packed, Part};
use super::error::SummaryError;
use super::reads::Origin;

/// A unit as far as reports speak of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitHead {
    /// [`TranslationUnit::key`]; zeros for a unit that can't have one.
    pub key: [u8; 32],
    /// The main file.
    pub main: PathBuf,
    /// Whether that is a source or a header.
    pub kind: UnitKind,
    /// Where the targets were read.
    pub origin: TargetOrigin,
    /// The passes.
    pub passes: Arc<Passes>,
    /// [`digest`] of the custom rules that it was checked by.
    pub rules: [u8; 32],
}

impl UnitHead {
    /// That of a unit.
    pub fn of(unit: &TranslationUnit) -> UnitHead {
        UnitHead {
            key: unit.key().unwrap_or_default(),
            main: unit.main.clone(),
            kind: unit.kind,
            origin: unit.origin.clone(),
            passes: Arc::new(unit.passes.clone()),
            rules: digest(&unit.custom),
        }
    }
}

/// What is known of the run that made a summary.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Context {
    /// Where targets come from that override the build's: `--arch`, or a configuration file.
    pub arch_source: String,
    /// What could not be read while units were looked for: paths and sentences.
    pub problems: Vec<ProjectProblem>,
}

/// A unit with what an analysis found in it.
#[derive(Debug)]
pub struct UnitSummary {
    /// The unit.
    pub head: UnitHead,
    /// What was found.
    pub(in crate::analysis) outcome: Outcome,
    /// What it rests on, if it was written or read before.
    pub(super) origin: Option<Packed>,
}

impl UnitSummary {
    /// An outcome that was just found.
    pub(in crate::analysis) fn new(unit: &TranslationUnit, outcome: Outcome) -> UnitSummary {
        UnitSummary { head: UnitHead::of(unit), outcome, origin: None }
    }

    /// Its file's bytes. `unit` is the unit that it is about.
    ///
    /// # Errors
    /// If a path is not UTF-8.
    pub fn to_bytes(
        &self,
        unit: &TranslationUnit,
        context: &Context,
        sources: &Sources,
        lookups: &Lookups,
    ) -> Result<Vec<u8>, SummaryError> {
        let written = body::write(unit, &self.outcome, sources)?;
        let context = postcard::to_stdvec(&(&self.head, context));
        let context = context.map_err(|error| SummaryError::Unwritable(error.to_string()))?;
        let origin = match &self.origin {
            Some(origin) => origin.clone(),
            None => Packed::of(&Origin::of(unit, &self.outcome, sources, lookups).to_part()?)?,
        };
        let (body, regions) = (Packed::of(&written.body)?, Packed::of(&written.regions)?);
        Ok(container::written([&Packed::of(&context)?, &body, &regions, &origin]))
    }

    /// The files that it read, for build systems: the source and its headers, the system's among them.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.outcome.files.iter().chain(&self.outcome.also_read).copied()
    }

    /// A summary from a file's bytes, if what it rests on still holds for a unit.
    pub(super) fn if_it_holds(
        bytes: &[u8],
        unit: &TranslationUnit,
        sources: &Sources,
        lookups: &Lookups,
    ) -> Result<Option<UnitSummary>, SummaryError> {
        let mut file = Container::of(Cursor::new(bytes))?;
        let origin = file.packed(Part::Origin)?;
        let read = Origin::read(&origin.unpack(Part::Origin)?)?;
        // The name of a file says nothing about what is in it.
        if read.unit.key() != unit.key() || !read.reads.still_hold(unit, sources, lookups) {
            return Ok(None);
        }
        let head = UnitHead::of(unit);
        let (body, regions) = (file.packed(Part::Body)?, file.packed(Part::Regions)?);
        let (mut outcome, files) =
            body::read(&body.unpack(Part::Body)?, (&head.passes, head.rules), sources)?;
        // A file that was read is there already; no other may be without its text in a run that reads sources.
        files.iter().try_for_each(|file| sources.load_declared(*file))?;
        outcome.regions = body::read_regions(&regions.unpack(Part::Regions)?, files, &head.passes)?;
        if let Some(summary) = &mut outcome.summary {
            // What the build says of the unit now, and not what it said.
            summary.stated = stated(unit, sources);
            summary.recipes = recipes(unit, sources);
            summary.groups = unit.groups.clone();
        }
        Ok(Some(UnitSummary { head, outcome, origin: Some(origin) }))
    }
}

/// A summary's file, which is read as far as it is needed.
#[derive(Debug)]
pub struct Judgeable {
    /// The file.
    pub path: PathBuf,
    /// The unit.
    pub head: UnitHead,
    /// The run that made it.
    pub context: Context,
}

impl Judgeable {
    /// Reads whom a summary is about.
    ///
    /// # Errors
    /// If it is no summary, not this program's, or not what was written.
    pub fn open(path: &Path) -> Result<Judgeable, SummaryError> {
        let context = Container::open(path)?.part(Part::Context)?;
        let (head, context) = postcard::from_bytes(&context).map_err(|error| SummaryError::Senseless {
            part: "part on the run",
            reason: error.to_string(),
        })?;
        Ok(Judgeable { path: path.to_path_buf(), head, context })
    }

    /// Refuses a unit that was checked by other custom rules than these.
    ///
    /// # Errors
    /// If it was.
    pub fn check_rules(&self, rules: &CustomRules) -> Result<(), SummaryError> {
        if self.head.rules == digest(rules) { Ok(()) } else { Err(SummaryError::OtherRules) }
    }

    /// What was found in the unit; the groups of conditionals only for a report that shows which passes enter which lines.
    pub(in crate::analysis) fn read(
        &self,
        sources: &Sources,
        regions: Regions,
    ) -> Result<Outcome, SummaryError> {
        let mut file = Container::open(&self.path)?;
        let (mut outcome, files) =
            body::read(&file.part(Part::Body)?, (&self.head.passes, self.head.rules), sources)?;
        if regions == Regions::Shown {
            outcome.regions = body::read_regions(&file.part(Part::Regions)?, files, &self.head.passes)?;
        }
        Ok(outcome)
    }

    /// The unit as it was compiled.
    ///
    /// # Errors
    /// If the part of the file on that is not what was written.
    pub fn unit(&self) -> Result<TranslationUnit, SummaryError> {
        Ok(Origin::read(&Container::open(&self.path)?.part(Part::Origin)?)?.unit)
    }
}

/// Whether some report shows which passes enter which lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regions {
    /// One does.
    Shown,
    /// None does.
    Hidden,
}
