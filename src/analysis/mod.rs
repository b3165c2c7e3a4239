//! The one entry for the command line and the language server.
//!
//! In: translation units. Out: [`Analysis`], the findings of all of them and what could not be analysed. Schedules the
//! stages over the units in parallel and isolates panics. A unit goes on from what was found of the headers that the unit
//! before it begins with too. [`analyse`] does it once, a [`Session`] again and again while texts change; [`summarise`] and
//! [`judge`] are its two halves, between which a unit's summary may be a file or come from a [`Cache`].

mod threads;
mod timing;
mod outcome;
mod pipeline;
mod instances;
mod merge;
mod observe;
mod included;
mod kept;
mod session;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::cancel::{CancelFlag, unless_cancelled};
use crate::finding::{Defect, Finding};
use crate::preprocess::Lookups;
use crate::project::{TranslationUnit, UnitKind};
use crate::source::{DeclaredError, FileId, Sources, Span};

pub use kept::{Cache, Context, Judgeable, Regions, SummaryError, UnitHead, UnitSummary, help};
pub use merge::Analysis;
pub use observe::Observer;
pub use outcome::UnitProblem;
pub use session::{MacroMeaning, Session, UnitView};
pub use threads::{beside, on_deep_stacks};
pub use timing::{Reuse, Shared, StageTimes, UnitTimes};

use included::Included;
use merge::{Extent, Merger, merge, one_a_cause};
use observe::InOrder;
use outcome::Outcome;
use pipeline::{Caches, analyse_unit, isolated};

/// Analyses units: every rule over every one of them, then the rules across them. Headers that are
/// units of their own are looked at only when no source includes them.
pub fn analyse(units: &[TranslationUnit], sources: &Sources) -> Analysis {
    analyse_observed(units, sources, &(), &CancelFlag::default())
}

/// Like [`analyse`], and tells the observer how it goes on. When the flag is set, no further unit begins, those at work are
/// given up, and the result is that of the units that had ended: it names the others.
pub fn analyse_observed(
    units: &[TranslationUnit],
    sources: &Sources,
    observer: &dyn Observer,
    cancel: &CancelFlag,
) -> Analysis {
    analyse_kept(units, sources, observer, cancel, None)
}

/// Like [`analyse_observed`], and takes the units from a cache whose summaries still hold: the first step with
/// [`summarise`], the second on its result.
pub fn analyse_kept(
    units: &[TranslationUnit],
    sources: &Sources,
    observer: &dyn Observer,
    cancel: &CancelFlag,
    cache: Option<&Cache>,
) -> Analysis {
    let summaries = summarise(units, sources, observer, cancel, cache);
    let extent = if summaries.left_out.is_empty() { Extent::Whole } else { Extent::Part };
    let outcomes = summaries.units.iter().map(|(_, summary)| &summary.outcome);
    let analysis = merge(outcomes, sources, extent);
    Analysis { left_out: summaries.left_out, shared: summaries.shared, ..analysis }
}

/// What was found in units, before they are judged together.
#[derive(Debug)]
pub struct Summaries<'u> {
    /// Those that were analysed, sources first.
    pub units: Vec<(&'u TranslationUnit, UnitSummary)>,
    /// The main files of the others.
    pub left_out: Vec<PathBuf>,
    /// What was found of the places of headers.
    pub lookups: Lookups,
    /// What the units shared.
    pub shared: Shared,
}

/// The first step: what the rules find in each unit alone, and what the rules across units need of it.
pub fn summarise<'u>(
    units: &'u [TranslationUnit],
    sources: &Sources,
    observer: &dyn Observer,
    cancel: &CancelFlag,
    cache: Option<&Cache>,
) -> Summaries<'u> {
    on_deep_stacks(|| {
        let answers = (units.len() > 1).then(Arc::default);
        let (caches, lookups) = (Caches { answers, ..Caches::default() }, Lookups::default());
        let run = Run { sources, caches, observer, cancel, order: InOrder::new(observer), cache, lookups };
        let (units, left_out) = run.all(units);
        if let Some(cache) = cache {
            cache.tidy_up();
        }
        Summaries { units, left_out, shared: run.caches.shared(), lookups: run.lookups }
    })
}

/// The second step: the rules across units, and one finding a cause, from summaries in any order. The files that findings,
/// problems and comments point at are read, and no others. The observer is told of findings as it is of those of
/// [`analyse_observed`].
///
/// # Errors
/// If a summary can't be read, or a file that a report speaks of is not what was analysed.
pub fn judge(
    mut summaries: Vec<Judgeable>,
    sources: &Sources,
    regions: Regions,
    observer: &dyn Observer,
) -> Result<(Vec<Judgeable>, Analysis), Refusal> {
    summaries.sort_by(|left, right| {
        let key = |one: &'_ Judgeable| (one.head.kind, one.head.main.clone(), one.head.key, one.path.clone());
        key(left).cmp(&key(right))
    });
    let mut merger = Merger::default();
    let mut included = Included::default();
    let has_headers = summaries.iter().any(|one| one.head.kind == UnitKind::Header);
    for some in summaries.chunks(AT_ONCE) {
        let refusal = |one: &Judgeable, error| Refusal {
            path: one.path.clone(),
            unit: Some(one.head.main.clone()),
            error,
        };
        let read = some.par_iter().map(|one| one.read(sources, regions).map_err(|error| refusal(one, error)));
        let read: Vec<Result<Outcome, Refusal>> = read.collect();
        for (one, outcome) in some.iter().zip(read) {
            let outcome = outcome?;
            match one.head.kind {
                UnitKind::Source if has_headers => included.add(&outcome.files, sources),
                UnitKind::Source => {}
                UnitKind::Header if included.has(&one.head.main) => continue,
                UnitKind::Header => {}
            }
            merger.add(&outcome);
            if !outcome.findings.is_empty() {
                let findings = one_a_cause(outcome.findings, sources);
                load(places_of(&findings), sources).map_err(|(_, error)| refusal(one, error.into()))?;
                observer.found(findings);
            }
        }
    }
    let analysis = merger.finish(sources, Extent::Whole);
    let others = analysis.problems.iter().filter_map(|problem| problem.at);
    let others = others.chain(analysis.unresolved.iter().map(|spot| spot.at));
    let speaking = analysis.files.iter().filter(|file| sources.file(**file).about().may_suppress);
    let speaking = speaking.map(|file| Span { file: *file, start: 0, end: 0 });
    let places = places_of(&analysis.findings).chain(others).chain(speaking);
    load(places, sources).map_err(|(file, error)| {
        let of_file =
            |one: &&Judgeable| one.read(sources, Regions::Hidden).is_ok_and(|one| one.files.contains(&file));
        let first = summaries.iter().find(of_file);
        let path = first.map_or_else(|| sources.file(file).path.clone(), |one| one.path.clone());
        Refusal { path, unit: first.map(|one| one.head.main.clone()), error: error.into() }
    })?;
    Ok((summaries, analysis))
}

/// A summary that is not judged, nor are the others then.
#[derive(Debug)]
pub struct Refusal {
    /// The summary.
    pub path: PathBuf,
    /// The main file of its unit, if that is known.
    pub unit: Option<PathBuf>,
    /// Why.
    pub error: SummaryError,
}

/// How many summaries are read before they are merged.
const AT_ONCE: usize = 512;

/// Every place that a report on findings may speak of.
fn places_of(findings: &[Finding]) -> impl Iterator<Item = Span> {
    findings.iter().flat_map(|finding| {
        let template = match &finding.defect {
            Defect::InstantiationMissing { template, .. } => Some(*template),
            _ => None,
        };
        finding.places().chain(template)
    })
}

/// Reads the files that places are in.
fn load(places: impl Iterator<Item = Span>, sources: &Sources) -> Result<(), (FileId, DeclaredError)> {
    let mut ends: BTreeMap<FileId, Vec<u32>> = BTreeMap::new();
    for at in places {
        ends.entry(at.file).or_default().extend([at.start, at.end]);
    }
    for (file, offsets) in ends {
        let path = sources.file(file).path.clone();
        sources.load_declared(file).map_err(|error| (file, error))?;
        let text = &sources.file(file).text;
        if offsets.iter().any(|offset| !text.is_char_boundary(*offset as usize)) {
            return Err((file, DeclaredError::Changed { path }));
        }
    }
    Ok(())
}

/// An analysis that goes on.
struct Run<'a> {
    sources: &'a Sources,
    caches: Caches,
    observer: &'a dyn Observer,
    cancel: &'a CancelFlag,
    order: InOrder<'a>,
    cache: Option<&'a Cache>,
    lookups: Lookups,
}

impl Run<'_> {
    /// The summaries, and the units that were left out.
    fn all<'u>(
        &self,
        units: &'u [TranslationUnit],
    ) -> (Vec<(&'u TranslationUnit, UnitSummary)>, Vec<PathBuf>) {
        let (headers, main): (Vec<_>, Vec<_>) = units.iter().partition(|unit| unit.kind == UnitKind::Header);
        let mut found = self.each(0, &main);
        let mut included = Included::default();
        for summary in found.iter().flatten() {
            included.add(&summary.outcome.files, self.sources);
        }
        let alone: Vec<_> = headers.into_iter().filter(|unit| !included.has(&unit.main)).collect();
        if !self.cancel.is_set() {
            found.extend(self.each(main.len(), &alone));
        }
        let mut summaries = Vec::with_capacity(found.len());
        let mut left_out = Vec::new();
        let found = found.into_iter().chain(std::iter::repeat_with(|| None));
        for (unit, summary) in main.into_iter().chain(alone).zip(found) {
            match summary {
                Some(summary) => summaries.push((unit, summary)),
                None => left_out.push(unit.main.clone()),
            }
        }
        (summaries, left_out)
    }

    /// The summaries of units, of which the first has the number `first`; `None` for those that were cancelled. They are begun
    /// in their order, so that what is told in that order need not wait for long.
    fn each(&self, first: usize, units: &[&TranslationUnit]) -> Vec<Option<UnitSummary>> {
        let summaries = units.iter().enumerate().par_bridge();
        let summaries = summaries.map(|(index, unit)| (index, self.one(first + index, unit)));
        let mut summaries: Vec<(usize, Option<UnitSummary>)> = summaries.collect();
        summaries.sort_by_key(|(index, _)| *index);
        summaries.into_iter().map(|(_, summary)| summary).collect()
    }

    fn one(&self, index: usize, unit: &TranslationUnit) -> Option<UnitSummary> {
        if self.cancel.is_set() {
            return None;
        }
        self.observer.begins(unit);
        let summary = self.kept(unit).or_else(|| self.made(unit));
        self.observer.ended(unit);
        let findings = summary.iter().flat_map(|one| one.outcome.findings.iter().cloned()).collect();
        self.order.ended(index, one_a_cause(findings, self.sources));
        summary
    }

    /// The summary that the cache has, if it still holds.
    fn kept(&self, unit: &TranslationUnit) -> Option<UnitSummary> {
        self.cache?.get(unit, self.sources, &self.lookups)
    }

    /// A new one.
    fn made(&self, unit: &TranslationUnit) -> Option<UnitSummary> {
        let analyse = || isolated(unit, || analyse_unit(unit, self.sources, &self.caches));
        let mut summary = UnitSummary::new(unit, unless_cancelled(self.cancel, analyse)?);
        // A unit that could not be analysed may be the next time.
        if let Some(cache) = self.cache.filter(|_| summary.outcome.summary.is_some()) {
            cache.put(unit, &mut summary, self.sources, &self.lookups);
        }
        Some(summary)
    }
}
