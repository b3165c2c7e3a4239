//! The stages of one unit, in order.
//!
//! In: a translation unit. Out: its [`Outcome`], and in [`Stages`] what the stages found on the way. The two stages that
//! a session can do faster, since it has an earlier text of the unit, are handed in ([`run`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use crate::analysis::outcome::{Outcome, UnitProblem};
use crate::analysis::timing::{Reuse, Shared, StageTimes, UnitTimes, timed};
use crate::cancel::{caught, unwind_if_cancelled};
use crate::facts::{Answers, Memo, UnitFacts, facts_again};
use crate::preprocess::{Common, Preprocessed, preprocess};
use crate::project::TranslationUnit;
use crate::rules::{Summary, Unit, check_unit};
use crate::source::{FileId, SourceFile, Sources};
use crate::target::PassSet;
use crate::variance::Variance;

use super::build::{recipes, stated};
use super::conditionals::{branches, regions, undefined_macros};
use super::problems::problems;
use super::resume::{PreamblePool, ResumedUnit};
use super::suffixes::suffixes;

/// Results that units share.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Caches {
    /// Headers, preprocessed.
    pub(in crate::analysis) headers: Arc<Common>,
    /// Declarations, parsed.
    pub(in crate::analysis) parsed: Arc<Memo>,
    /// Headers that units begin with, analysed.
    pub(in crate::analysis) preambles: Arc<PreamblePool>,
    /// The answers that units take over from each other, where several are analysed once.
    pub(in crate::analysis) answers: Option<Arc<Answers>>,
}

impl Caches {
    /// How often units took something over.
    pub(in crate::analysis) fn shared(&self) -> Shared {
        let of = |(kept, made)| Reuse { kept, made };
        let results = self.answers.as_ref().map(|answers| answers.reuse());
        Shared {
            headers: of(self.headers.reuse()),
            declarations: of(self.parsed.reuse()),
            results: of(results.unwrap_or_default()),
        }
    }
}

/// Analyses one unit from its text.
pub(in crate::analysis) fn analyse_unit(
    unit: &TranslationUnit,
    sources: &Sources,
    caches: &Caches,
) -> Outcome {
    analyse_unit_keeping(unit, sources, caches, drop).0
}

/// Analyses one unit from its text, with what `keep` makes of its facts: the default value, if its file can't be read.
pub(in crate::analysis) fn analyse_unit_keeping<T: Default>(
    unit: &TranslationUnit,
    sources: &Sources,
    caches: &Caches,
    keep: impl FnOnce(UnitFacts) -> T,
) -> (Outcome, T) {
    if let Err(error) = sources.read(&unit.main) {
        let message = format!("failed to read the file: {error}");
        let problem = UnitProblem { unit: unit.main.clone(), message, at: None, incomplete: true };
        return (Outcome { problems: vec![problem], ..Outcome::default() }, T::default());
    }
    let lease = caches.preambles.lease();
    let (preprocessed, preprocess) = timed(|| preprocess(unit, sources, &caches.headers));
    let resumed = ResumedUnit::new(preprocessed, Arc::clone(&lease.cache));
    let facts = |found: &Variance| {
        let last = resumed.left(None);
        let (facts, left) =
            facts_again(unit, &resumed.unit, found, &caches.parsed, caches.answers.as_deref(), &last);
        resumed.keep(left);
        facts
    };
    let variance = |compared| resumed.variance(compared);
    let Stages { facts, mut outcome, .. } = run(unit, sources, caches, &resumed.unit, variance, facts);
    let kept = keep(facts);
    drop(resumed);
    drop(lease);
    if let Some(times) = &mut outcome.times {
        times.stages.preprocess = preprocess;
    }
    (outcome, kept)
}

/// The results of the stages of one unit.
pub(in crate::analysis) struct Stages {
    /// The passes that were compared: those that do not stop at an `#error`.
    pub(in crate::analysis) compared: PassSet,
    pub(in crate::analysis) variance: Variance,
    /// The facts, without those of headers, which are in the outcome.
    pub(in crate::analysis) facts: UnitFacts,
    pub(in crate::analysis) outcome: Outcome,
}

/// The bytes that a file counts for: one of the system's, whose reading is kept, costs a further analysis hardly anything.
fn weight(of_system: bool, file: &SourceFile) -> usize {
    if of_system { file.text.len() / 16 } else { file.text.len() }
}

/// Runs the stages of a unit that is preprocessed, with the given ones for variance and facts.
pub(in crate::analysis) fn run(
    unit: &TranslationUnit,
    sources: &Sources,
    caches: &Caches,
    preprocessed: &Preprocessed,
    variance: impl FnOnce(PassSet) -> Variance,
    facts: impl FnOnce(&Variance) -> UnitFacts + Send,
) -> Stages {
    unwind_if_cancelled();
    let compared = unit.passes.all().minus(preprocessed.stopped);
    let (variance, variance_time) = timed(|| variance(compared));
    unwind_if_cancelled();
    let passes = Arc::new(unit.passes.clone());
    let ((mut facts, facts_time), regions) =
        rayon::join(|| timed(|| facts(&variance)), || regions(preprocessed, &passes));
    let rules = Instant::now();
    let mut findings = check_unit(&Unit {
        passes: Arc::clone(&passes),
        rdc: unit.rdc,
        foreign: unit.foreign(),
        is_third_party: &|file| unit.is_third_party(&sources.file(file)),
        custom: &unit.custom,
        facts: &facts,
    });
    let of_system = |file: FileId| preprocessed.system.contains(&file);
    findings.retain(|finding| !of_system(finding.primary.at.file));
    let mut header_entities = std::mem::take(&mut facts.header_entities);
    header_entities.retain(|entity| !of_system(entity.at.file));
    let mut also_read = Vec::new();
    let suffixes = suffixes(unit, preprocessed, &facts, sources, &caches.headers, &mut also_read);
    let mut outcome = Outcome {
        findings,
        problems: problems(unit, preprocessed, &variance, &facts, compared),
        files: preprocessed.files.clone(),
        bytes: preprocessed.files.iter().map(|file| weight(of_system(*file), &sources.file(*file))).sum(),
        also_read,
        system: preprocessed.system.clone(),
        regions,
        missing: preprocessed.missing.iter().map(|missing| missing.header.clone()).collect(),
        undefined: undefined_macros(preprocessed),
        summary: Some(Summary {
            unit: unit.main.clone(),
            passes,
            rdc: unit.rdc,
            stated: stated(unit, sources),
            suffixes,
            branches: branches(&facts, compared),
            groups: unit.groups.clone(),
            recipes: recipes(unit, sources),
            header_entities,
        }),
        unresolved: facts.blind_spots.iter().filter(|spot| !spot.varies).cloned().collect(),
        error_bytes: facts.error_bytes,
        times: None,
    };
    let stages = StageTimes {
        variance: variance_time,
        facts: facts_time,
        rules: rules.elapsed(),
        ..StageTimes::default()
    };
    outcome.times = Some(UnitTimes { unit: unit.main.clone(), stages });
    Stages { compared, variance, facts, outcome }
}

/// The result of analysing a unit; a panic becomes a problem of that unit and loses nothing else.
pub(in crate::analysis) fn isolated<T: From<Outcome>>(
    unit: &TranslationUnit,
    analyse: impl FnOnce() -> T,
) -> T {
    let result = caught(catch_unwind(AssertUnwindSafe(analyse)));
    result.unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let problem = UnitProblem {
            unit: unit.main.clone(),
            message: format!("the analysis stopped on a defect of its own ({said}); please report it"),
            at: None,
            incomplete: true,
        };
        Outcome { problems: vec![problem], ..Outcome::default() }.into()
    })
}
