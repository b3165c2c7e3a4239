//! The outcomes of units, merged: rules across units, and one finding a cause.
//!
//! In: the [`Outcome`] of each unit. Out: [`Analysis`]. It does not know how an outcome was found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::facts::BlindSpot;
use crate::finding::{Finding, Region};
use crate::rules::check_program;
use crate::source::{FileId, Sources, Span};
use crate::target::Pass;

use super::instances::joined;
use super::outcome::{Outcome, UnitProblem};
use super::timing::{Shared, UnitTimes};

/// The result of analysing some units.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The findings, one a cause, ordered by path, place and rule.
    pub findings: Vec<Finding>,
    /// The problems; each says whether something was left unanalysed.
    pub problems: Vec<UnitProblem>,
    /// The different files that were read, without the system's, in the order they were.
    pub files: Vec<FileId>,
    /// The headers that no directory had, as spelled, each once, sorted.
    pub missing_headers: Vec<String>,
    /// The macros that conditions of units with missing headers read and that nothing defines, each
    /// once, sorted. What the conditions chose may be wrong.
    pub undefined_macros: Vec<String>,
    /// In the files that findings point at, the groups of conditionals and the passes that enter them, by place.
    pub regions: Vec<Region>,
    /// The mentions of kernel templates of which it is not known what they instantiate, though nothing about them
    /// differs between passes; by place, each once. Empty for a session, which walks again only what an edit concerns.
    pub unresolved: Vec<BlindSpot>,
    /// The number of bytes of parsed declarations that the grammar could not make sense of.
    pub syntax_error_bytes: usize,
    /// The main files of the units that were not analysed since the analysis was cancelled. The rules across units were not
    /// asked if there are any.
    pub left_out: Vec<PathBuf>,
    /// The bytes of all files that units read, of a file as often as units read it.
    pub bytes: usize,
    /// How long each unit took.
    pub times: Vec<UnitTimes>,
    /// What the units shared.
    pub shared: Shared,
}

/// Which outcomes are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Those of all units.
    Whole,
    /// Those of some: what a rule says of the whole program would be a guess.
    Part,
}

/// Merges the outcomes of some units.
pub(super) fn merge(outcomes: &[&Outcome], sources: &Sources, extent: Extent) -> Analysis {
    let mut analysis = Analysis::default();
    let mut files: BTreeSet<FileId> = BTreeSet::new();
    let mut missing: BTreeSet<String> = BTreeSet::new();
    let mut undefined: BTreeSet<String> = BTreeSet::new();
    let mut summaries = Vec::new();
    let mut regions: BTreeMap<(Span, Vec<Pass>), Region> = BTreeMap::new();
    let pointed_at: BTreeSet<FileId> = outcomes
        .iter()
        .flat_map(|outcome| &outcome.findings)
        .flat_map(Finding::places)
        .map(|at| at.file)
        .collect();
    for outcome in outcomes {
        analysis.findings.extend(outcome.findings.iter().cloned());
        analysis.problems.extend(outcome.problems.iter().cloned());
        analysis.syntax_error_bytes += outcome.error_bytes;
        files.extend(outcome.files.iter().filter(|file| !outcome.system.contains(file)));
        analysis.unresolved.extend(outcome.unresolved.iter().cloned());
        missing.extend(outcome.missing.iter().cloned());
        undefined.extend(outcome.undefined.iter().cloned());
        summaries.extend(&outcome.summary);
        analysis.times.extend(outcome.times.clone());
        analysis.bytes += outcome.files.iter().map(|file| sources.file(*file).text.len()).sum::<usize>();
        for region in outcome.regions.iter().filter(|region| pointed_at.contains(&region.at.file)) {
            let known =
                regions.entry((region.at, region.of.list().to_vec())).or_insert_with(|| region.clone());
            known.passes = known.passes.or(region.passes);
        }
    }
    analysis.regions = regions.into_values().collect();
    analysis.regions.sort_by_cached_key(|region| path_of(sources, region.at));
    if extent == Extent::Whole {
        analysis.findings.extend(check_program(&summaries));
    }
    analysis.findings = one_a_cause(std::mem::take(&mut analysis.findings), sources);
    analysis.files = files.into_iter().filter(|file| !sources.file(*file).built_in()).collect();
    analysis.files.sort_by_cached_key(|file| sources.file(*file).path.clone());
    // Units that include one header have the same in it.
    let spot = |one: &BlindSpot| (path_of(sources, one.at), one.at, one.why, one.name.clone());
    analysis.unresolved.sort_by_cached_key(spot);
    analysis.unresolved.dedup_by_key(|spot| (spot.at, spot.why));
    analysis.missing_headers = missing.into_iter().collect();
    analysis.undefined_macros = undefined.into_iter().collect();
    analysis
}

/// The path of a place's file. Files are numbered in the order in which threads happen to read them.
fn path_of(sources: &Sources, at: Span) -> PathBuf {
    sources.file(at.file).path.clone()
}

/// The findings ordered by path, place and rule, of each cause the first one.
pub(super) fn one_a_cause(findings: Vec<Finding>, sources: &Sources) -> Vec<Finding> {
    let mut keyed: Vec<(PathBuf, Finding)> =
        findings.into_iter().map(|one| (sources.file(one.primary.at.file).path.clone(), one)).collect();
    keyed.sort_by(|(left_path, left), (right_path, right)| {
        let key = |path: &PathBuf, one: &Finding| {
            let instance = one.instances.first().map(|label| label.text.clone());
            (path.clone(), one.primary.at.start, one.rule, one.entity.clone(), instance)
        };
        key(left_path, left).cmp(&key(right_path, right))
    });
    let mut kept: Vec<Finding> = Vec::with_capacity(keyed.len());
    for (_, finding) in keyed {
        let same = |known: &Finding| {
            known.rule == finding.rule
                && known.entity == finding.entity
                && known.instances.first().map(|one| &one.text)
                    == finding.instances.first().map(|one| &one.text)
        };
        // Units that include one header find the same thing in it.
        let at_place = kept.iter().rev().take_while(|known| known.primary.at == finding.primary.at);
        if !at_place.into_iter().any(same) {
            kept.push(finding);
        }
    }
    joined(kept)
}
