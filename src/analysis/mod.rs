//! The one entry for the command line and the language server.
//!
//! In: translation units. Out: [`Analysis`], the findings of all of them and what could not be
//! analysed. Schedules the stages over the units in parallel and isolates panics. [`analyse`] does
//! it once, a [`Session`] again and again while texts change.

mod headers;
mod later;
mod look;
mod session;
mod standing;
mod suffixes;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::facts::{Cause, ConditionFact, Memo, UnitFacts, Walked, facts, facts_again};
use crate::finding::{Finding, Region};
use crate::preprocess::{Common, Conditional, Group, Preprocessed, preprocess};
use crate::project::{TranslationUnit, UnitKind};
use crate::rules::{Branch, RecipeBound, Stated, Summary, Unit, check_program, check_unit};
use crate::source::{FileId, SourceFile, Sources, Span, Symbol};
use crate::stale::{caught, go_on};
use crate::target::{Pass, PassSet, Passes};

pub use look::{Look, Meaning};
pub use session::Session;

use headers::{Headers, Lent};
use later::Later;
use look::Entities;
use standing::{Shift, Standing};

/// What analysing some units gave.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The findings, one a cause, ordered by path, place and rule.
    pub findings: Vec<Finding>,
    /// What could not be done; each says whether something was left unanalysed.
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
    /// How many bytes of parsed declarations the grammar could not make sense of.
    pub syntax_error_bytes: usize,
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

/// Analyses units: every rule over every one of them, then the rules across them. Headers that are
/// units of their own are looked at only when no source includes them.
/// `done` is called after each unit, from any thread.
pub fn analyse(units: &[TranslationUnit], sources: &Sources, done: &(dyn Fn() + Sync)) -> Analysis {
    on_deep_stacks(|| analyse_all(units, sources, done))
}

/// How much stack a thread gets that analyses: enough for the limits of [`crate::facts`] on how deep
/// declarations and what they refer to may nest. Only what is used of it costs memory.
const STACK: usize = 1 << 28;

/// Runs `work`, and what it runs in parallel, on threads that have [`STACK`].
pub fn on_deep_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        // No such threads are to be had: ordinary code needs none.
        Err(_) => work(),
    }
}

fn analyse_all(units: &[TranslationUnit], sources: &Sources, done: &(dyn Fn() + Sync)) -> Analysis {
    let kept = Kept::default();
    let outcome_of = |unit: &&TranslationUnit| {
        let outcome = isolated(unit, sources, &kept, Wanted::Outcome);
        done();
        outcome
    };
    let (headers, main): (Vec<_>, Vec<_>) = units.iter().partition(|unit| unit.kind == UnitKind::Header);
    let mut outcomes: Vec<Outcome> = main.par_iter().map(outcome_of).collect();
    let mut included: BTreeSet<PathBuf> = BTreeSet::new();
    for outcome in &outcomes {
        included.extend(outcome.files.iter().map(|file| resolved(&sources.file(*file).path)));
    }
    let alone: Vec<_> =
        headers.into_iter().filter(|unit| !included.contains(&resolved(&unit.main))).collect();
    outcomes.par_extend(alone.par_iter().map(outcome_of));
    combine(&outcomes.iter().collect::<Vec<_>>(), sources)
}

/// What one unit gave.
#[derive(Debug, Default)]
struct Outcome {
    findings: Vec<Finding>,
    problems: Vec<UnitProblem>,
    /// The files it read.
    files: Vec<FileId>,
    /// Those of them that are the system's.
    system: FxHashSet<FileId>,
    /// The groups of conditionals in the others.
    regions: Vec<Region>,
    /// The headers it did not find, as spelled.
    missing: Vec<String>,
    /// The macros its conditions read that a missing header may define.
    undefined: Vec<String>,
    summary: Option<Summary>,
    error_bytes: usize,
    /// What tells which edits leave all this as it is, if that was wanted: of the main file, and of open headers. It is
    /// found while the rest is told.
    standing: Later<Vec<Standing>>,
    /// For who asks about kernels, if that was wanted.
    entities: Option<Entities>,
    /// For the next analysis, if that was wanted.
    walked: Vec<Arc<Walked>>,
}

/// What is wanted of analysing a unit.
#[derive(Clone, Copy)]
enum Wanted<'o> {
    /// What there is to say of it.
    Outcome,
    /// And what tells which edits of these files matter, of which its main file is one, and what the next analysis
    /// may go on from, as this one may from what the last left.
    Standing(&'o FxHashSet<PathBuf>, &'o [Arc<Walked>]),
}

/// What is kept of units for others, and for the same ones when they have changed.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// Headers, preprocessed.
    common: Arc<Common>,
    /// Declarations, parsed.
    memo: Arc<Memo>,
    /// What the unit that was edited last begins with.
    headers: Arc<Mutex<Headers>>,
}

impl Kept {
    /// Drops what headers were read as. What walks left of them goes with the next texts.
    fn forget_headers(&mut self) {
        self.common.clear();
        self.headers = Arc::default();
    }

    /// Drops what was made of files other than these, but for the declarations of those that were analysed and have
    /// been edited since: most of them are in the next analysis too. No unit is being analysed.
    fn retain(
        &mut self,
        files: &FxHashSet<FileId>,
        analysed: impl Iterator<Item = FileId>,
        sources: &Sources,
    ) {
        self.memo.retain(&files.iter().copied().chain(analysed).collect());
        if let Some(common) = Arc::get_mut(&mut self.common) {
            common.retain(files, sources);
        }
    }
}

impl Outcome {
    /// The files of the build that its findings may point at.
    fn build_files(&self) -> impl Iterator<Item = FileId> {
        let stated = self.summary.iter().filter_map(|summary| summary.stated.as_ref()).map(|one| one.at.file);
        let recipes = self.summary.iter().flat_map(|summary| &summary.recipes).map(|one| one.at.file);
        stated.chain(recipes)
    }

    /// Makes it the outcome of the newest texts of its main file and of open headers, if they say the same but for
    /// places.
    fn follow(&mut self, sources: &Sources) -> bool {
        for number in 0..self.standing.get().len() {
            let standing = &mut self.standing.get()[number];
            let Ok(newest) = sources.read(&standing.file.path) else { return false };
            if newest.id == standing.file.id {
                continue;
            }
            let Some(shift) = standing.follow(&newest) else { return false };
            if self.move_places(&shift).is_none() {
                self.standing.get().clear();
                return false;
            }
        }
        !self.standing.get().is_empty()
    }

    /// An edit that supersedes these files may be one that is followed.
    fn may_follow(&mut self, superseded: &[FileId]) -> bool {
        let standing = self.standing.get();
        superseded.iter().all(|file| standing.iter().any(|standing| standing.file.id == *file))
    }

    /// Moves every place in it; `None` if one is cut.
    fn move_places(&mut self, shift: &Shift) -> Option<()> {
        let place = |at: &mut Span| shift.span(*at).map(|moved| *at = moved);
        for finding in &mut self.findings {
            place(&mut finding.primary.at)?;
            finding.related.iter_mut().try_for_each(|label| place(&mut label.at))?;
            if let Some(deciding) = &mut finding.deciding {
                place(&mut deciding.at)?;
                deciding.derivation.iter_mut().filter_map(|step| step.at.as_mut()).try_for_each(place)?;
            }
        }
        self.problems.iter_mut().filter_map(|problem| problem.at.as_mut()).try_for_each(place)?;
        for region in &mut self.regions {
            region.at = shift.lines(region.at)?;
        }
        for file in self.files.iter_mut().filter(|file| **file == shift.from) {
            *file = shift.to;
        }
        let cause = |cause: &mut Cause| {
            place(&mut cause.at)?;
            cause.derivation.iter_mut().filter_map(|step| step.at.as_mut()).try_for_each(place)
        };
        for fact in self.entities.iter_mut().flat_map(|entities| &mut entities.signed) {
            fact.cases.iter_mut().try_for_each(|case| place(&mut case.at))?;
            fact.places.iter_mut().try_for_each(place)?;
            fact.type_cause.iter_mut().chain(&mut fact.presence_cause).try_for_each(cause)?;
        }
        for fact in self.entities.iter_mut().flat_map(|entities| &mut entities.instantiations) {
            place(&mut fact.declared)?;
            let sites = fact.sites.iter_mut().flat_map(|site| [&mut site.at, &mut site.root]);
            sites.chain(fact.signatures.iter_mut().map(|case| &mut case.at)).try_for_each(place)?;
            fact.cause.iter_mut().try_for_each(cause)?;
        }
        let Some(summary) = &mut self.summary else { return Some(()) };
        summary.suffixes.asked.iter_mut().try_for_each(|(_, at)| place(at))?;
        for branch in &mut summary.branches {
            place(&mut branch.at)?;
            branch.opening.iter_mut().try_for_each(|(at, _)| place(at))?;
        }
        for entity in &mut summary.header_entities {
            place(&mut entity.at)?;
            entity.used.iter_mut().try_for_each(place)?;
            entity.cause.iter_mut().try_for_each(cause)?;
        }
        Some(())
    }
}

/// A unit's outcome; a panic becomes a problem of that unit and loses nothing else.
fn isolated(unit: &TranslationUnit, sources: &Sources, kept: &Kept, wanted: Wanted<'_>) -> Outcome {
    let result = caught(catch_unwind(AssertUnwindSafe(|| analyse_unit(unit, sources, kept, wanted))));
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
        Outcome { problems: vec![problem], ..Outcome::default() }
    })
}

fn analyse_unit(unit: &TranslationUnit, sources: &Sources, kept: &Kept, wanted: Wanted<'_>) -> Outcome {
    let headers = matches!(wanted, Wanted::Standing(..)).then(|| Arc::clone(&kept.headers));
    let lent = Lent::new(preprocess(unit, sources, &kept.common), headers);
    let preprocessed = &lent.unit;
    go_on();
    let compared = unit.passes.all().minus(preprocessed.stopped);
    let variance = lent.variance(compared);
    go_on();
    let passes = Arc::new(unit.passes.clone());
    let found = || match wanted {
        Wanted::Outcome => facts(unit, preprocessed, &variance, &kept.memo),
        Wanted::Standing(_, last) => facts_again(unit, preprocessed, &variance, &kept.memo, &lent.left(last)),
    };
    let (mut facts, regions) = rayon::join(found, || regions(preprocessed, &passes));
    let walked = lent.keep(std::mem::take(&mut facts.left));
    let mut findings = check_unit(&Unit {
        passes: Arc::clone(&passes),
        rdc: unit.rdc,
        foreign: unit.foreign(),
        facts: &facts,
    });
    let suffixes = suffixes::suffixes(unit, preprocessed, &facts, sources, &kept.common);
    let branches = branches(&facts, compared);
    let of_system = |file: FileId| preprocessed.system.contains(&file);
    findings.retain(|finding| !of_system(finding.primary.at.file));
    let edited = match wanted {
        Wanted::Outcome => Vec::new(),
        Wanted::Standing(open, _) => edited(unit, preprocessed, open, sources),
    };
    let mut header_entities = std::mem::take(&mut facts.header_entities);
    header_entities.retain(|entity| !of_system(entity.at.file));
    let mut problems: Vec<UnitProblem> = preprocessed
        .problems
        .iter()
        .filter(|problem| problem.incomplete || !of_system(problem.at.file))
        .map(|problem| UnitProblem {
            unit: unit.main.clone(),
            message: problem.message(),
            at: Some(problem.at),
            incomplete: problem.incomplete,
        })
        .collect();
    let stopped = preprocessed.stopped;
    if unit.kind == UnitKind::Source && (stopped.has(0) || compared.len() < 2) && !stopped.is_empty() {
        problems.push(UnitProblem {
            unit: unit.main.clone(),
            message: format!(
                "compilation stops at an `#error` on {}, so nothing was compared there",
                unit.passes.describe(stopped)
            ),
            at: None,
            incomplete: true,
        });
    }
    if facts.left_open {
        problems.push(UnitProblem {
            unit: unit.main.clone(),
            message: "types or constants go deeper than the analysis follows: these are compared as spelled"
                .into(),
            at: None,
            incomplete: false,
        });
    }
    problems.extend(facts.incomplete.take().map(|message| UnitProblem {
        unit: unit.main.clone(),
        message,
        at: None,
        incomplete: true,
    }));
    let mut outcome = Outcome {
        regions,
        findings,
        problems,
        undefined: undefined_macros(preprocessed),
        missing: preprocessed.missing.iter().map(|missing| missing.header.clone()).collect(),
        files: preprocessed.files.clone(),
        system: preprocessed.system.clone(),
        summary: Some(Summary {
            unit: unit.main.clone(),
            passes,
            rdc: unit.rdc,
            stated: stated(unit, sources),
            suffixes,
            branches,
            groups: unit.groups.clone(),
            recipes: recipes(unit, sources),
            header_entities,
        }),
        error_bytes: facts.error_bytes,
        walked,
        ..Outcome::default()
    };
    if !edited.is_empty() {
        let looked_into = std::mem::take(&mut facts.looked_into);
        let memo = Arc::clone(&kept.memo);
        outcome.standing =
            Later::begin(move || Standing::of(edited, &lent.unit, &variance, &looked_into, compared, &memo));
    }
    outcome.entities = matches!(wanted, Wanted::Standing(..)).then(|| Entities::of(facts));
    outcome
}

/// The main file and the open headers of the project that a unit reads.
fn edited(
    unit: &TranslationUnit,
    preprocessed: &Preprocessed,
    open: &FxHashSet<PathBuf>,
    sources: &Sources,
) -> Vec<Arc<SourceFile>> {
    let Ok(main) = sources.read(&unit.main) else { return Vec::new() };
    let own =
        preprocessed.files.iter().filter(|file| !preprocessed.system.contains(file) && **file != main.id);
    let headers = own.map(|file| sources.file(*file)).filter(|file| open.contains(&file.path));
    let headers: Vec<_> = headers.collect();
    [main].into_iter().chain(headers).collect()
}

/// The unit's list of targets with the place that names it.
fn stated(unit: &TranslationUnit, sources: &Sources) -> Option<Stated> {
    let statement = unit.stated.as_ref()?;
    let file = sources.read(&statement.path).ok()?;
    // An editor may hold another text than the one that was read.
    let bytes = Some(statement.bytes.clone()).filter(|bytes| file.text.get(bytes.clone()).is_some());
    let bytes = bytes.unwrap_or(0..0);
    let at = Span { file: file.id, start: bytes.start as u32, end: bytes.end as u32 };
    let (list, toolkit) = (unit.targets.clone(), statement.toolkit);
    Some(Stated { at, list, toolkit, complete: statement.complete })
}

/// The groups that nothing but the pass decides, of conditionals that some device pass reaches.
fn branches(facts: &UnitFacts, compared: PassSet) -> Vec<Branch> {
    let decided =
        |condition: &&ConditionFact| condition.pure && condition.asked.meets(compared.minus(PassSet::HOST));
    let branch = |condition: &ConditionFact| Branch {
        at: condition.at,
        text: condition.text.clone(),
        opening: condition.opening.clone(),
        entered: !condition.passes.is_empty(),
    };
    facts.conditions.iter().filter(decided).map(branch).collect()
}

/// The project's bounds on the GPU with their places.
fn recipes(unit: &TranslationUnit, sources: &Sources) -> Vec<RecipeBound> {
    let mut bounds = Vec::new();
    for recipe in unit.recipes.iter() {
        let Ok(file) = sources.read(&recipe.path) else { continue };
        let at = |line: usize| {
            let text = file.line_text(line - 1);
            let start = file.line_start(line - 1) + text.len() - text.trim_start().len();
            Span { file: file.id, start: start as u32, end: (start + text.trim().len()) as u32 }
        };
        let read = recipe.bounds.iter().map(|bound| (bound.line, Ok(bound.clone())));
        let unread = recipe.unread.iter().map(|(line, text)| (*line, Err(text.clone())));
        bounds.extend(read.chain(unread).map(|(line, bound)| RecipeBound { at: at(line), bound }));
    }
    bounds
}

/// The groups of conditionals, without the system's. A file that is included several times has each group once,
/// with the passes that enter it at any time.
fn regions(preprocessed: &Preprocessed, passes: &Arc<Passes>) -> Vec<Region> {
    let mut found: BTreeMap<Span, PassSet> = BTreeMap::new();
    for conditional in preprocessed.conditionals() {
        let groups: Vec<&Group> = conditional.groups.iter().map(|id| preprocessed.group(*id)).collect();
        let ends = groups.iter().skip(1).map(|group| Some(group.directive)).chain([conditional.endif]);
        for (group, end) in groups.iter().zip(ends) {
            let Span { file, start, .. } = group.directive;
            if !preprocessed.system.contains(&file) {
                let at = Span { file, start, end: end.map_or(u32::MAX, |end| end.start) };
                let seen = found.entry(at).or_default();
                *seen = seen.or(group.passes);
            }
        }
    }
    found.into_iter().map(|(at, seen)| Region { at, passes: seen, of: Arc::clone(passes) }).collect()
}

/// The macros that conditions read and no header that was found defines, if some header was not.
/// Reserved identifiers ([lex.name]) are the compilers' to define, and guards are defined on the way.
fn undefined_macros(preprocessed: &Preprocessed) -> Vec<String> {
    if preprocessed.missing.is_empty() {
        return Vec::new();
    }
    let defined: FxHashSet<Symbol> =
        preprocessed.definitions().into_iter().map(|id| preprocessed.definition(id).name).collect();
    let reserved = |name: &str| {
        name.starts_with("__")
            || name.starts_with('_') && name[1..].starts_with(|c: char| c.is_ascii_uppercase())
    };
    let in_project = |conditional: &&Conditional| {
        let first = conditional.groups.first().map(|group| preprocessed.group(*group).directive.file);
        first.is_some_and(|file| !preprocessed.system.contains(&file))
    };
    let reads = preprocessed
        .conditionals()
        .into_iter()
        .filter(in_project)
        .flat_map(|conditional| &*conditional.reads);
    let names =
        reads.map(|read| read.name).filter(|name| !defined.contains(name) && !reserved(name.as_str()));
    let names: BTreeSet<String> = names.map(|name| name.as_str().to_string()).collect();
    names.into_iter().collect()
}

fn combine(outcomes: &[&Outcome], sources: &Sources) -> Analysis {
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
        missing.extend(outcome.missing.iter().cloned());
        undefined.extend(outcome.undefined.iter().cloned());
        summaries.extend(&outcome.summary);
        for region in outcome.regions.iter().filter(|region| pointed_at.contains(&region.at.file)) {
            let known =
                regions.entry((region.at, region.of.list().to_vec())).or_insert_with(|| region.clone());
            known.passes = known.passes.or(region.passes);
        }
    }
    analysis.regions = regions.into_values().collect();
    analysis.findings.extend(check_program(&summaries));
    let mut keyed: Vec<(PathBuf, Finding)> = analysis
        .findings
        .drain(..)
        .map(|one| (sources.file(one.primary.at.file).path.clone(), one))
        .collect();
    keyed.sort_by(|(left_path, left), (right_path, right)| {
        let key = |path: &PathBuf, one: &Finding| {
            (path.clone(), one.primary.at.start, one.rule, one.entity.clone())
        };
        key(left_path, left).cmp(&key(right_path, right))
    });
    for (_, finding) in keyed {
        let same = |known: &Finding| {
            known.rule == finding.rule
                && known.primary.at == finding.primary.at
                && known.entity == finding.entity
        };
        // Units that include one header find the same thing in it: one finding a cause.
        if !analysis
            .findings
            .iter()
            .rev()
            .take_while(|known| known.primary.at == finding.primary.at)
            .any(same)
        {
            analysis.findings.push(finding);
        }
    }
    analysis.files = files.into_iter().filter(|file| !sources.file(*file).built_in()).collect();
    analysis.missing_headers = missing.into_iter().collect();
    analysis.undefined_macros = undefined.into_iter().collect();
    analysis
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
