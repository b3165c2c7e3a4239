//! The outcomes of units, merged: rules across units, and one finding a cause.
//!
//! In: the [`Outcome`] of each unit. Out: [`Analysis`]. It does not know how an outcome was found.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{BlindSpot, BlindSpotCause};
use crate::finding::{Finding, Region};
use crate::rules::{Thinned, check_program};
use crate::source::{FileId, Sources, Span};
use crate::target::{PassSet, Passes};

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
    /// The bytes of all files that units read, of a file as often as units read it; of system headers a sixteenth.
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

/// Merges the outcomes of some units, in their order.
pub(super) fn merge<'o>(
    outcomes: impl IntoIterator<Item = &'o Outcome>,
    sources: &Sources,
    extent: Extent,
) -> Analysis {
    let mut merger = Merger::default();
    outcomes.into_iter().for_each(|outcome| merger.add(outcome));
    merger.finish(sources, extent)
}

/// The outcomes of units merged one after another. What the same header gave to many units is kept once, so that the memory
/// grows with what is different and not with the number of units.
#[derive(Default)]
pub(super) struct Merger {
    analysis: Analysis,
    files: BTreeSet<FileId>,
    missing: BTreeSet<String>,
    undefined: BTreeSet<String>,
    thinned: Thinned,
    /// What findings are about.
    found: FxHashSet<(Span, &'static str, String, Option<String>)>,
    problems: FxHashSet<(Span, String)>,
    spots: FxHashMap<(Span, BlindSpotCause), BlindSpot>,
    /// Every list of passes that a region has; a region names it by its number.
    passes: Vec<Arc<Passes>>,
    regions: FxHashMap<(Span, usize), PassSet>,
    pointed_at: BTreeSet<FileId>,
}

impl Merger {
    /// Adds the outcome of the next unit.
    pub(super) fn add(&mut self, outcome: &Outcome) {
        for finding in &outcome.findings {
            self.pointed_at.extend(finding.places().map(|at| at.file));
            let instance = finding.instances.first().map(|label| label.text.clone());
            // Units that include one header find the same thing in it.
            if self.found.insert((finding.primary.at, finding.rule, finding.entity.clone(), instance)) {
                self.analysis.findings.push(finding.clone());
            }
        }
        for problem in &outcome.problems {
            if problem.at.is_none_or(|at| self.problems.insert((at, problem.message.clone()))) {
                self.analysis.problems.push(problem.clone());
            }
        }
        for spot in &outcome.unresolved {
            let known = self.spots.entry((spot.at, spot.why)).or_insert_with(|| spot.clone());
            if spot.name < known.name {
                *known = spot.clone();
            }
        }
        self.analysis.syntax_error_bytes += outcome.error_bytes;
        self.analysis.bytes += outcome.bytes;
        self.analysis.times.extend(outcome.times.clone());
        self.files.extend(outcome.files.iter().filter(|file| !outcome.system.contains(file)));
        self.missing.extend(outcome.missing.iter().cloned());
        self.undefined.extend(outcome.undefined.iter().cloned());
        if let Some(summary) = &outcome.summary {
            self.thinned.add(summary);
        }
        for region in &outcome.regions {
            let number = self.number(&region.of);
            let entered = self.regions.entry((region.at, number)).or_default();
            *entered = entered.or(region.passes);
        }
    }

    /// The number of a list of passes.
    fn number(&mut self, passes: &Arc<Passes>) -> usize {
        let same = |known: &Arc<Passes>| Arc::ptr_eq(known, passes) || known == passes;
        self.passes.iter().position(same).unwrap_or_else(|| {
            self.passes.push(Arc::clone(passes));
            self.passes.len() - 1
        })
    }

    /// The result, with that of the rules across units if these are all.
    pub(super) fn finish(self, sources: &Sources, extent: Extent) -> Analysis {
        let mut analysis = self.analysis;
        let passes = &self.passes;
        let shown = self.regions.into_iter().filter(|((at, _), _)| self.pointed_at.contains(&at.file));
        let mut regions: Vec<((Span, usize), PassSet)> = shown.collect();
        regions.sort_by(|((left, one), _), ((right, other), _)| {
            (left, passes[*one].list()).cmp(&(right, passes[*other].list()))
        });
        let region = |((at, number), entered): ((Span, usize), PassSet)| Region {
            at,
            passes: entered,
            of: Arc::clone(&passes[number]),
        };
        analysis.regions = regions.into_iter().map(region).collect();
        analysis.regions.sort_by_cached_key(|region| path_of(sources, region.at));
        if extent == Extent::Whole {
            analysis.findings.extend(check_program(&self.thinned.summaries()));
        }
        analysis.findings = one_a_cause(std::mem::take(&mut analysis.findings), sources);
        analysis.files = self.files.into_iter().filter(|file| !sources.file(*file).built_in()).collect();
        analysis.files.sort_by_cached_key(|file| sources.file(*file).path.clone());
        analysis.unresolved = self.spots.into_values().collect();
        let spot = |one: &BlindSpot| (path_of(sources, one.at), one.at, one.why, one.name.clone());
        analysis.unresolved.sort_by_cached_key(spot);
        analysis.missing_headers = self.missing.into_iter().collect();
        analysis.undefined_macros = self.undefined.into_iter().collect();
        analysis
    }
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
