//! What walking the roots in headers gave, kept for the next analysis of the unit.
//!
//! Nearly all of what a unit walks for instantiations stands in the headers that it begins with, and an edit
//! elsewhere seldom changes any of it. What those walks depend on beyond the headers is noted: the names that were
//! looked up, and what else declares them; the names that lead to kernels. As long as that is the same, a root that
//! found nothing is not walked again, and what it visited counts as visited.

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::Beginning;
use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::{DeclKind, Varies};

use super::main_roots::SettledMainRoots;
use crate::facts::index::token_facts::tops_of;
use crate::facts::index::tokens::identifiers;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::history::HistoryDelta;
use crate::facts::instantiate::walk::Walk;
use crate::facts::lower::nodes::Detail;
use crate::facts::meaning::view::View;

/// How many of those before the last are kept: what is typed is often taken back, or completes what was there.
const EARLIER: usize = 2;

/// What walking the roots in the headers that a unit begins with gave, and what that hangs on.
#[derive(Debug)]
pub struct HeaderWalks {
    beginning: Beginning,
    /// How many of the unit's declarations stand in those headers.
    tops: usize,
    /// The identifiers in them.
    identifiers: Arc<FxHashSet<Symbol>>,
    /// How much of bodies was read.
    detail: Detail,
    /// The names that led to kernels.
    relevant: FxHashSet<Symbol>,
    /// The names that were looked up.
    asked: FxHashSet<Symbol>,
    /// What answers them outside those headers.
    outside: Outside,
    /// Per pass the roots that did something, in order.
    by_pass: FxHashMap<usize, Vec<(usize, Step)>>,
    /// The passes in which some look-up went beyond a limit.
    left_open: FxHashSet<usize>,
    /// The declarations that were parsed.
    parsed: FxHashSet<usize>,
    /// Those with text that the grammar could not make sense of, and how many bytes of it.
    errors: Vec<((usize, PassSet), usize)>,
    /// What the last analysis that stood on these found behind them.
    behind: Mutex<Option<Arc<SettledMainRoots>>>,
}

/// What walking a root did.
#[derive(Debug)]
enum Step {
    /// It noted this, and that was all.
    HistoryDelta(HistoryDelta),
    /// It found something, and has to be walked again.
    Found,
}

/// Walks the roots among the first declarations of a unit, of which the rest stand elsewhere, or does what the last
/// analysis found that walking them does. What the next analysis may do so with.
pub(in crate::facts) fn walk_headers(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    walks: &mut [Walk<'_>],
    relevant: &FxHashSet<Symbol>,
    roots: &[usize],
    last: &[Arc<HeaderWalks>],
) -> (usize, Vec<Arc<HeaderWalks>>) {
    let beginning = unit.pp.lasting(last.first().map(|last| &last.beginning));
    let tops = tops_of(unit.variance, &beginning);
    // Those of other headers would keep these in memory.
    let same: Vec<&Arc<HeaderWalks>> = last.iter().filter(|last| last.beginning == beginning).collect();
    if let Some(known) = same.iter().copied().find(|last| last.holds(unit, views, relevant, tops)) {
        known.replay(unit, views, walks);
        let others = same.iter().filter(|one| !Arc::ptr_eq(one, known)).copied();
        return (tops, [known].into_iter().chain(others).cloned().collect());
    }
    let roots = &roots[..roots.partition_point(|top| *top < tops)];
    let mut by_pass = FxHashMap::default();
    let mut texts: FxHashSet<Arc<str>> = FxHashSet::default();
    for ((_, view), walk) in views.iter().zip(walks.iter_mut()) {
        let mut steps = Vec::new();
        for top in roots.iter().filter(|top| unit.variance.declarations[**top].passes.has(view.pass)) {
            let before = walk.state();
            walk.history.noted = Some(HistoryDelta::default());
            walk.root(*top);
            let mut noted = walk.history.noted.take().unwrap_or_default();
            noted.met_again = Vec::new();
            if !walk.found_nothing(before) {
                steps.push((*top, Step::Found));
            } else if !noted.is_empty() {
                let elsewhere = noted.elsewhere.iter_mut().map(|(text, _)| text);
                for text in noted.visited.iter_mut().chain(elsewhere) {
                    match texts.get(text) {
                        Some(known) => *text = Arc::clone(known),
                        None => _ = texts.insert(Arc::clone(text)),
                    }
                }
                steps.push((*top, Step::HistoryDelta(noted)));
            }
        }
        by_pass.insert(view.pass, steps);
    }
    let asked = unit.asked.borrow().clone().unwrap_or_default();
    // Walks that end at a limit of all of them together may end elsewhere another time.
    let limited =
        walks.iter().any(|walk| walk.is_incomplete()) || views.iter().any(|(_, view)| view.is_half_spent());
    if tops == 0 || limited {
        return (tops, same.into_iter().cloned().collect());
    }
    let identifiers = match same.first() {
        Some(last) => Arc::clone(&last.identifiers),
        None => Arc::new(identifiers(&unit.pp.tokens()[..beginning.tokens()]).collect()),
    };
    let (outside, _) = outside(unit, &asked, tops);
    let mut parsed = unit.parsed();
    parsed.retain(|top| *top < tops);
    let errors = unit.errors.borrow();
    let errors = errors.iter().filter(|((top, _), _)| *top < tops).map(|(key, bytes)| (*key, *bytes));
    let left_open = views.iter().filter(|(_, view)| view.is_left_open()).map(|(_, view)| view.pass);
    let walked = HeaderWalks {
        detail: unit.detail.get(),
        left_open: left_open.collect(),
        tops,
        identifiers,
        relevant: relevant.clone(),
        outside,
        asked,
        by_pass,
        parsed,
        errors: errors.collect(),
        behind: Mutex::default(),
        beginning,
    };
    let earlier = same.into_iter().take(EARLIER).cloned();
    (tops, [Arc::new(walked)].into_iter().chain(earlier).collect())
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl HeaderWalks {
    /// The identifiers in the headers.
    pub(in crate::facts) fn identifiers(&self) -> &FxHashSet<Symbol> {
        &self.identifiers
    }

    /// What is known of the roots behind the headers.
    pub(in crate::facts) fn behind(&self) -> Option<Arc<SettledMainRoots>> {
        self.behind.lock().expect(NO_PANIC).clone()
    }

    /// How many of them were walked, and how many are settled.
    #[cfg(test)]
    pub(crate) fn roots_behind(&self) -> [usize; 2] {
        self.behind().map_or([0, 0], |settled| settled.roots())
    }

    /// Keeps what is known of them.
    pub(in crate::facts) fn keep_behind(&self, settled: Option<SettledMainRoots>) {
        *self.behind.lock().expect(NO_PANIC) = settled.map(Arc::new);
    }

    /// Walking the same roots would do the same, in a unit that begins with the same headers.
    fn holds(
        &self,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        relevant: &FxHashSet<Symbol>,
        tops: usize,
    ) -> bool {
        if self.tops != tops
            || self.detail != unit.detail.get()
            || !views.iter().all(|(_, view)| self.by_pass.contains_key(&view.pass))
        {
            return false;
        }
        let (outside, answers) = outside(unit, &self.asked, tops);
        let mut changed = self.relevant.symmetric_difference(relevant);
        let mentioned = |name: &Symbol| {
            let text = name.as_str();
            !text.starts_with(|c: char| c.is_alphabetic() || c == '_')
                || text.starts_with("operator")
                || self.identifiers.contains(name)
                || answers.iter().any(|top| {
                    let range = unit.variance.declarations[*top].tokens.clone();
                    identifiers(&unit.pp.tokens()[range]).any(|one| one == *name)
                })
        };
        outside == self.outside && !changed.any(mentioned)
    }

    fn replay(&self, unit: &IndexedUnit<'_>, views: &[(PassSet, View<'_>)], walks: &mut [Walk<'_>]) {
        for ((_, view), walk) in views.iter().zip(walks) {
            if self.left_open.contains(&view.pass) {
                view.leave_open();
            }
            for (top, step) in &self.by_pass[&view.pass] {
                match step {
                    Step::HistoryDelta(noted) => walk.history.repeat(noted),
                    Step::Found => walk.root(*top),
                }
            }
        }
        unit.looked_into.borrow_mut().extend(&self.parsed);
        unit.errors.borrow_mut().extend(self.errors.iter().copied());
    }
}

/// The declarations outside the headers that answer look-ups of some names.
#[derive(PartialEq, Eq, Debug)]
struct Outside {
    declarations: Vec<Answer>,
    /// Namespaces are found by name too.
    namespaces: Vec<Symbol>,
}

/// A declaration without its places.
#[derive(PartialEq, Eq, Debug)]
struct Answer {
    kind: DeclKind,
    passes: PassSet,
    varies: Varies,
    namespace: Symbol,
    found_in: Vec<Symbol>,
    tokens: Vec<(Symbol, PassSet)>,
}

/// The declarations from number `tops` on that answer look-ups of the `asked` names, and their numbers.
fn outside(unit: &IndexedUnit<'_>, asked: &FxHashSet<Symbol>, tops: usize) -> (Outside, Vec<usize>) {
    let mut answers: Vec<usize> = Vec::new();
    for (number, declaration) in unit.variance.declarations.iter().enumerate().skip(tops) {
        if declaration.names.iter().any(|name| asked.contains(name)) || unit.is_directive(number) {
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
    (Outside { declarations: answers.iter().map(answer).collect(), namespaces }, answers)
}
