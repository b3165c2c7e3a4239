//! The walks over the roots in the preamble, kept with their dependencies for the next analysis of the unit.
//!
//! Most of the code that a unit's walks visit is in its preamble, and an edit behind it seldom changes any of it. The
//! walks depend on two things beyond the preamble: the names that were looked up, with the declarations outside that
//! declare them; and the relevant names. As long as both are unchanged the walks are valid: of a root that found
//! nothing only the changes to the history are replayed, and a root that found instantiations is walked again.

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::Preamble;
use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::{DeclKind, Varies};

use super::main_roots::SettledMainRoots;
use crate::facts::index::leading_names::LeadingNames;
use crate::facts::index::tokens::{identifiers, preamble_end};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::history::HistoryDelta;
use crate::facts::instantiate::walk::Walk;
use crate::facts::lower::nodes::Detail;
use crate::facts::meaning::view::View;

/// How many earlier walks are kept: an edit is often undone, or completes one, and then an earlier state is valid
/// again.
const EARLIER_KEPT: usize = 2;

/// The results of walking the roots in a unit's preamble, with their dependencies.
#[derive(Debug)]
pub struct HeaderWalks {
    preamble: Preamble,
    /// The number of declarations in the preamble, and so the index of the first one behind it.
    preamble_end: usize,
    /// The identifiers in the preamble.
    identifiers: Arc<FxHashSet<Symbol>>,
    /// The detail with which bodies were lowered.
    detail: Detail,
    /// The names for which bodies that GPUs alone run were lowered ([`IndexedUnit::on_device`]).
    on_device: Option<FxHashSet<Symbol>>,
    /// The relevant names.
    relevant: LeadingNames,
    /// The names that were looked up.
    looked_up: FxHashSet<Symbol>,
    /// The declarations outside the preamble that these look-ups found.
    outside: OutsideAnswers,
    /// Per pass, the roots that had an effect, in order.
    by_pass: FxHashMap<usize, Vec<(usize, RootEffect)>>,
    /// The passes in which some look-up stopped at a limit.
    left_open: FxHashSet<usize>,
    /// The declarations that were parsed.
    parsed: FxHashSet<usize>,
    /// Per declaration and class of passes, how many bytes are under syntax errors.
    errors: Vec<((usize, PassSet), usize)>,
    /// The results for the roots behind the preamble, of the last analysis that used these walks.
    main_roots: Mutex<Option<Arc<SettledMainRoots>>>,
}

/// The effect of walking a root.
#[derive(Debug)]
enum RootEffect {
    /// These changes to the history and nothing else: they are replayed.
    Replayed(HistoryDelta),
    /// Instantiations, or generic lambdas that are not called: the root is walked again.
    WalkedAgain,
}

/// Walks the roots in the preamble, or replays kept walks (`last`) that are valid. The index of the first declaration
/// behind the preamble, and the walks to keep for the next analysis.
pub(in crate::facts) fn walk_preamble(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    walks: &mut [Walk<'_>],
    relevant: &LeadingNames,
    roots: &[usize],
    last: &[Arc<HeaderWalks>],
) -> (usize, Vec<Arc<HeaderWalks>>) {
    let preamble = unit.pp.preamble().clone();
    let preamble_end = preamble_end(unit.variance, &preamble);
    // Walks over another preamble are dropped: they would keep its tokens in memory.
    let same: Vec<&Arc<HeaderWalks>> = last.iter().filter(|last| last.preamble == preamble).collect();
    if let Some(known) = same.iter().copied().find(|last| last.is_valid(unit, views, relevant, preamble_end))
    {
        known.replay(unit, views, walks);
        let others = same.iter().filter(|one| !Arc::ptr_eq(one, known)).copied();
        return (preamble_end, [known].into_iter().chain(others).cloned().collect());
    }
    let roots = &roots[..roots.partition_point(|top| *top < preamble_end)];
    let mut by_pass = FxHashMap::default();
    let mut texts: FxHashSet<Arc<str>> = FxHashSet::default();
    for ((_, view), walk) in views.iter().zip(walks.iter_mut()) {
        let mut effects = Vec::new();
        for top in roots.iter().filter(|top| unit.variance.declarations[**top].passes.has(view.pass)) {
            let before = walk.state();
            walk.history.delta = Some(HistoryDelta::default());
            walk.walk_root(*top);
            let mut delta = walk.history.delta.take().unwrap_or_default();
            delta.already_visited = Vec::new();
            if !walk.found_nothing(before) {
                effects.push((*top, RootEffect::WalkedAgain));
            } else if !delta.is_empty() {
                let left_to_others = delta.left_to_others.iter_mut().map(|(text, _)| text);
                for text in delta.visited.iter_mut().chain(left_to_others) {
                    match texts.get(text) {
                        Some(known) => *text = Arc::clone(known),
                        None => _ = texts.insert(Arc::clone(text)),
                    }
                }
                effects.push((*top, RootEffect::Replayed(delta)));
            }
        }
        by_pass.insert(view.pass, effects);
    }
    let looked_up = unit.looked_up.borrow().clone().unwrap_or_default();
    // The limits hold for all walks of a pass together, so the next analysis may reach them at another root.
    let limited =
        walks.iter().any(|walk| walk.is_incomplete()) || views.iter().any(|(_, view)| view.is_half_spent());
    if preamble_end == 0 || limited {
        return (preamble_end, same.into_iter().cloned().collect());
    }
    let identifiers = match same.first() {
        Some(last) => Arc::clone(&last.identifiers),
        None => Arc::new(identifiers(&unit.pp.tokens()[..preamble.tokens()]).collect()),
    };
    let (outside, _) = outside(unit, &looked_up, preamble_end);
    let mut parsed = unit.parsed();
    parsed.retain(|top| *top < preamble_end);
    let errors = unit.errors.borrow();
    let errors = errors.iter().filter(|((top, _), _)| *top < preamble_end).map(|(key, bytes)| (*key, *bytes));
    let left_open = views.iter().filter(|(_, view)| view.is_left_open()).map(|(_, view)| view.pass);
    let walked = HeaderWalks {
        detail: unit.detail.get(),
        on_device: unit.on_device.get().cloned(),
        left_open: left_open.collect(),
        preamble_end,
        identifiers,
        relevant: relevant.clone(),
        outside,
        looked_up,
        by_pass,
        parsed,
        errors: errors.collect(),
        main_roots: Mutex::default(),
        preamble,
    };
    let earlier = same.into_iter().take(EARLIER_KEPT).cloned();
    (preamble_end, [Arc::new(walked)].into_iter().chain(earlier).collect())
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl HeaderWalks {
    /// The identifiers in the preamble.
    pub(in crate::facts) fn identifiers(&self) -> &FxHashSet<Symbol> {
        &self.identifiers
    }

    /// The results for the roots behind the preamble.
    pub(in crate::facts) fn main_roots(&self) -> Option<Arc<SettledMainRoots>> {
        self.main_roots.lock().expect(NO_PANIC).clone()
    }

    /// How many roots behind the preamble were walked, and how many are settled.
    #[cfg(test)]
    pub(crate) fn roots_behind(&self) -> [usize; 2] {
        self.main_roots().map_or([0, 0], |settled| settled.roots())
    }

    /// Keeps the results for the roots behind the preamble.
    pub(in crate::facts) fn keep_main_roots(&self, settled: Option<SettledMainRoots>) {
        *self.main_roots.lock().expect(NO_PANIC) = settled.map(Arc::new);
    }

    /// Whether the walks are valid for a unit with the same preamble: no dependency outside it has changed.
    fn is_valid(
        &self,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        relevant: &LeadingNames,
        preamble_end: usize,
    ) -> bool {
        if self.preamble_end != preamble_end
            || self.detail != unit.detail.get()
            || !self.lowers_alike(unit)
            || !views.iter().all(|(_, view)| self.by_pass.contains_key(&view.pass))
        {
            return false;
        }
        let (outside, answers) = outside(unit, &self.looked_up, preamble_end);
        let mut changed = self.relevant.changed_in(relevant);
        let mentioned = |name: Symbol| {
            let text = name.as_str();
            !text.starts_with(|c: char| c.is_alphabetic() || c == '_')
                || text.starts_with("operator")
                || self.identifiers.contains(&name)
                || answers.iter().any(|top| {
                    let range = unit.variance.declarations[*top].tokens.clone();
                    identifiers(&unit.pp.tokens()[range]).any(|one| one == name)
                })
        };
        outside == self.outside && !changed.any(mentioned)
    }

    /// Whether the same bodies in the preamble are lowered as were.
    fn lowers_alike(&self, unit: &IndexedUnit<'_>) -> bool {
        match (&self.on_device, unit.on_device.get()) {
            (Some(own), Some(now)) => {
                !own.symmetric_difference(now).any(|name| self.identifiers.contains(name))
            }
            (own, now) => own.is_none() == now.is_none(),
        }
    }

    /// Brings walks into the state in which walking the roots would leave them.
    fn replay(&self, unit: &IndexedUnit<'_>, views: &[(PassSet, View<'_>)], walks: &mut [Walk<'_>]) {
        for ((_, view), walk) in views.iter().zip(walks) {
            if self.left_open.contains(&view.pass) {
                view.leave_open();
            }
            for (top, effect) in &self.by_pass[&view.pass] {
                match effect {
                    RootEffect::Replayed(delta) => walk.history.replay(delta),
                    RootEffect::WalkedAgain => walk.walk_root(*top),
                }
            }
        }
        unit.parsed_before.borrow_mut().extend(&self.parsed);
        unit.errors.borrow_mut().extend(self.errors.iter().copied());
    }
}

/// The declarations outside the preamble that look-ups of some names may find.
#[derive(PartialEq, Eq, Debug)]
struct OutsideAnswers {
    declarations: Vec<Answer>,
    /// The qualified names of all namespaces, which look-ups find too.
    namespaces: Vec<Symbol>,
}

/// A declaration without the places of its tokens.
#[derive(PartialEq, Eq, Debug)]
struct Answer {
    kind: DeclKind,
    passes: PassSet,
    varies: Varies,
    namespace: Symbol,
    found_in: Vec<Symbol>,
    tokens: Vec<(Symbol, PassSet)>,
}

/// The declarations from index `preamble_end` on that look-ups of the `looked_up` names may find, and their indices.
fn outside(
    unit: &IndexedUnit<'_>,
    looked_up: &FxHashSet<Symbol>,
    preamble_end: usize,
) -> (OutsideAnswers, Vec<usize>) {
    let mut answers: Vec<usize> = Vec::new();
    for (number, declaration) in unit.variance.declarations.iter().enumerate().skip(preamble_end) {
        if declaration.names.iter().any(|name| looked_up.contains(name)) || unit.is_directive(number) {
            answers.push(number);
        }
    }
    let answer = |number: &usize| {
        let declaration = &unit.variance.declarations[*number];
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        Answer {
            kind: declaration.kind,
            passes: declaration.passes,
            varies: declaration.varies,
            namespace: unit.namespace(declaration.scope),
            found_in: unit.found_in[declaration.scope.0 as usize].clone(),
            tokens: tokens.iter().map(|token| (token.text, token.passes)).collect(),
        }
    };
    let mut namespaces: Vec<Symbol> = unit.known_namespaces.iter().copied().collect();
    namespaces.sort_unstable();
    (OutsideAnswers { declarations: answers.iter().map(answer).collect(), namespaces }, answers)
}
