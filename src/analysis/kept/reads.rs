//! All that the outcome of an analysis rests on: the unit as it was compiled, each text that was read, and every place where the include
//! search would find another header if there were one.
//!
//! In: a unit and what it read. Out: the part of a summary that says whether the rest is still true.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::analysis::outcome::Outcome;
use crate::preprocess::Lookups;
use crate::project::{IncludeSearch, TranslationUnit};
use crate::source::{FileId, SourceFile, Sources};

use super::error::SummaryError;

/// All that an outcome rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Reads {
    /// Each file that was read, with the digest of its text.
    files: Vec<(PathBuf, [u8; 32])>,
    /// The headers that were not found, as spelled.
    missing: Vec<String>,
    /// What [`Lookups`] says of these files.
    lookups: [u8; 32],
}

/// The part of a summary on its origin.
#[derive(Serialize, Deserialize)]
pub(super) struct Origin {
    /// All that it rests on.
    pub(super) reads: Reads,
    /// The unit, with as much of the index of headers as it can ask for.
    pub(super) unit: TranslationUnit,
}

impl Origin {
    /// The origin of an outcome.
    pub(super) fn of(
        unit: &TranslationUnit,
        outcome: &Outcome,
        sources: &Sources,
        lookups: &Lookups,
    ) -> Origin {
        let mut known: FxHashSet<FileId> = FxHashSet::default();
        let read = outcome.files.iter().chain(&outcome.also_read).filter(|file| known.insert(**file));
        let included: Vec<Arc<SourceFile>> =
            read.map(|file| sources.file(*file)).filter(|file| !file.built_in()).collect();
        let reads = Reads {
            files: included.iter().map(|file| (file.path.clone(), file.digest())).collect(),
            missing: outcome.missing.clone(),
            lookups: lookups.digest(unit, &included, &outcome.missing, sources),
        };
        Origin { reads, unit: with_part_of_index(unit, &included, lookups) }
    }

    /// Writes it.
    pub(super) fn to_part(&self) -> Result<Vec<u8>, SummaryError> {
        postcard::to_stdvec(self).map_err(|error| SummaryError::Unwritable(error.to_string()))
    }

    /// Reads it.
    pub(super) fn read(bytes: &[u8]) -> Result<Origin, SummaryError> {
        postcard::from_bytes(bytes).map_err(|error| SummaryError::Senseless {
            part: "part on what was read",
            reason: error.to_string(),
        })
    }
}

impl Reads {
    /// A unit that is compiled in the same way would read the same.
    pub(super) fn still_hold(&self, unit: &TranslationUnit, sources: &Sources, lookups: &Lookups) -> bool {
        let mut files = Vec::with_capacity(self.files.len());
        for (path, digest) in &self.files {
            match sources.read(path) {
                Ok(file) if file.digest() == *digest => files.push(file),
                _ => return false,
            }
        }
        lookups.digest(unit, &files, &self.missing, sources) == self.lookups
    }
}

/// The unit with those entries of the index of its project's headers that its files can ask for.
fn with_part_of_index(
    unit: &TranslationUnit,
    files: &[Arc<SourceFile>],
    lookups: &Lookups,
) -> TranslationUnit {
    let index = &unit.search.project_headers;
    let Some(names) = lookups.last_parts(files) else { return unit.clone() };
    let own = names.into_iter().filter_map(|name| Some((name.clone(), index.get(&name)?.clone())));
    let search = IncludeSearch { project_headers: Arc::new(own.collect()), ..unit.search.clone() };
    TranslationUnit { search, ..unit.clone() }
}
