//! The parts of a summary that are judged: what was found in a unit, with a table of the files that it points at.
//!
//! In: a unit's outcome and the files of this process. Out: bytes in which places name files by their numbers in that
//! table, and from them an outcome whose places are in the files of another process.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::analysis::outcome::{Outcome, UnitProblem};
use crate::facts::BlindSpot;
use crate::finding::{Finding, Region};
use crate::project::TranslationUnit;
use crate::rules::{Summary, card};
use crate::source::{About, FileId, Sources, Span, with_files_read, with_files_written};
use crate::target::{PassSet, Passes};

use super::error::SummaryError;

/// A file that a unit read, or that a place is in.
#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    path: Cow<'a, Path>,
    digest: [u8; 32],
    about: About,
    /// The text of a file that is on no disk.
    text: Option<Cow<'a, str>>,
    read: Read,
}

/// Whether a unit read a file.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Read {
    /// As one of the project's.
    Own,
    /// As one of the system's.
    System,
    /// Only a place is in it.
    Not,
}

/// What was found.
#[derive(Serialize, Deserialize)]
struct Found<'a> {
    findings: Cow<'a, [Finding]>,
    problems: Cow<'a, [UnitProblem]>,
    missing: Cow<'a, [String]>,
    undefined: Cow<'a, [String]>,
    summary: Cow<'a, Option<Summary>>,
    unresolved: Cow<'a, [BlindSpot]>,
    error_bytes: u64,
    /// The bytes of all files that it read.
    bytes: u64,
}

/// The parts on findings and on conditionals.
pub(super) struct Written {
    pub(super) body: Vec<u8>,
    pub(super) regions: Vec<u8>,
}

/// Writes what was found in a unit.
pub(super) fn write(
    unit: &TranslationUnit,
    outcome: &Outcome,
    sources: &Sources,
) -> Result<Written, SummaryError> {
    let unwritable = |reason: &str| SummaryError::Unwritable(reason.to_string());
    if outcome.findings.iter().any(|finding| *finding.passes != unit.passes) {
        return Err(unwritable("a finding has other passes than its unit"));
    }
    let found = Found {
        findings: Cow::Borrowed(&outcome.findings),
        problems: Cow::Borrowed(&outcome.problems),
        missing: Cow::Borrowed(&outcome.missing),
        undefined: Cow::Borrowed(&outcome.undefined),
        summary: Cow::Borrowed(&outcome.summary),
        unresolved: Cow::Borrowed(&outcome.unresolved),
        error_bytes: outcome.error_bytes as u64,
        bytes: outcome.bytes as u64,
    };
    let regions: Vec<(Span, PassSet)> =
        outcome.regions.iter().map(|region| (region.at, region.passes)).collect();
    // A header of the project may be a unit of its own, though this unit reads it as one of the system's.
    let of_project = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| unit.search.project_headers.contains_key(name))
    };
    let kept = |file: &&FileId| !outcome.system.contains(file) || of_project(&sources.file(**file).path);
    let first: Vec<FileId> = outcome.files.iter().filter(kept).copied().collect();
    let read = first.len();
    let (written, files) = with_files_written(first, || {
        Ok::<_, postcard::Error>((postcard::to_stdvec(&found)?, postcard::to_stdvec(&regions)?))
    });
    let (found, regions) = written.map_err(|error| unwritable(&error.to_string()))?;
    let files: Vec<_> = files.into_iter().map(|file| sources.file(file)).collect();
    let table: Vec<Entry<'_>> = files
        .iter()
        .enumerate()
        .map(|(number, file)| Entry {
            path: Cow::Borrowed(&file.path),
            digest: file.digest(),
            about: file.about(),
            text: file.built_in().then_some(Cow::Borrowed(&file.text)),
            read: match outcome.system.contains(&file.id) {
                _ if number >= read => Read::Not,
                true => Read::System,
                false => Read::Own,
            },
        })
        .collect();
    let body = postcard::to_stdvec(&(table, found)).map_err(|error| unwritable(&error.to_string()))?;
    Ok(Written { body, regions })
}

/// Reads what was found in a unit with these passes, checked by the custom rules of this digest. The files are declared, not read. Returns the files of the table too,
/// for [`read_regions`].
pub(super) fn read(
    body: &[u8],
    (passes, rules): (&Arc<Passes>, [u8; 32]),
    sources: &Sources,
) -> Result<(Outcome, Vec<FileId>), SummaryError> {
    let (table, found): (Vec<Entry<'_>>, Vec<u8>) = postcard::from_bytes(body).map_err(senseless)?;
    let mut files = Vec::with_capacity(table.len());
    for entry in &table {
        files.push(match &entry.text {
            Some(text) => sources.add(&entry.path, text.to_string()).id,
            None => sources.declare(&entry.path, entry.about, entry.digest)?,
        });
    }
    let found: Found<'_> =
        with_files_read(files.clone(), || postcard::from_bytes(&found)).map_err(senseless)?;
    let mut findings = found.findings.into_owned();
    for finding in &mut findings {
        finding.passes = Arc::clone(passes);
        // Which custom rules there were is known by their digest.
        if card(finding.rule).is_none() && rules == [0; 32] {
            return Err(senseless(format!("there is no rule `{}`", finding.rule)));
        }
    }
    let mut summary = found.summary.into_owned();
    if let Some(summary) = &mut summary {
        summary.passes = Arc::clone(passes);
    }
    let reads = || files.iter().zip(&table);
    let outcome = Outcome {
        findings,
        problems: found.problems.into_owned(),
        files: reads().filter(|(_, entry)| entry.read != Read::Not).map(|(file, _)| *file).collect(),
        system: reads().filter(|(_, entry)| entry.read == Read::System).map(|(file, _)| *file).collect(),
        also_read: Vec::new(),
        bytes: found.bytes as usize,
        regions: Vec::new(),
        missing: found.missing.into_owned(),
        undefined: found.undefined.into_owned(),
        summary,
        unresolved: found.unresolved.into_owned(),
        error_bytes: found.error_bytes as usize,
        times: None,
    };
    Ok((outcome, files))
}

/// Reads the groups of conditionals of a unit, whose files are those of its table.
pub(super) fn read_regions(
    regions: &[u8],
    files: Vec<FileId>,
    passes: &Arc<Passes>,
) -> Result<Vec<Region>, SummaryError> {
    let read: Vec<(Span, PassSet)> =
        with_files_read(files, || postcard::from_bytes(regions)).map_err(|error| {
            SummaryError::Senseless { part: "part on conditionals", reason: error.to_string() }
        })?;
    let region = |(at, entered)| Region { at, passes: entered, of: Arc::clone(passes) };
    Ok(read.into_iter().map(region).collect())
}

fn senseless(error: impl std::fmt::Display) -> SummaryError {
    SummaryError::Senseless { part: "part on findings", reason: error.to_string() }
}
