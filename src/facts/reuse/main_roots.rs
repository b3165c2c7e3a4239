//! The roots behind the preamble, each with its dependencies, so that an edit invalidates only some of them.
//!
//! A root is *settled* when it causes the same instantiations in every pass, with parameters of the same layout: no
//! fact comes of them, since facts are about differences. Settled roots are not walked again while they are valid.
//!
//! A settled root depends on its own text; on every declaration whose name was looked up for it, transitively; and on
//! the earlier roots that had visited an instantiation before it came to that, since their walk stands for this part of
//! its own. An edit invalidates the changed declarations, all that mention one of their names, and so on. Names that no
//! root looked up invalidate nothing.
//!
//! **Invariant:** in doubt a root is walked.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind};
use crate::target::PassSet;
use crate::variance::{DeclKind, Scope, ScopeId};

use crate::facts::LayoutFact;
use crate::facts::index::leading_names::LeadingNames;
use crate::facts::index::one_declaration::is_word;
use crate::facts::index::tokens::identifiers;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::effects::Instantiation;
use crate::facts::instantiate::history::HistoryDelta;
use crate::facts::instantiate::walk::Walk;
use crate::facts::lower::nodes::Detail;
use crate::facts::meaning::types::Spelling;
use crate::facts::meaning::view::View;

/// An instantiation of a settled root: the template, the template arguments, the parameters' types.
pub(in crate::facts) type SettledInstantiation = (String, String, String);

/// The records of the declarations behind the preamble, for the next analysis.
#[derive(Debug)]
pub(in crate::facts) struct SettledMainRoots {
    detail: Detail,
    on_device: Option<FxHashSet<Symbol>>,
    relevant: LeadingNames,
    passes: Vec<PassSet>,
    scopes: Vec<Scope>,
    declarations: Vec<DeclarationRecord>,
    /// All names that were looked up since the first of the settled roots was walked.
    looked_up: Arc<FxHashSet<Symbol>>,
    /// How many roots this analysis walked.
    #[cfg(test)]
    walked: usize,
}

/// The text of a declaration: what a walk can learn from the declaration itself.
#[derive(PartialEq, Eq, Debug)]
struct DeclarationText {
    kind: DeclKind,
    passes: PassSet,
    scope: ScopeId,
    tokens: Vec<TokenText>,
}

/// A token without its place.
#[derive(PartialEq, Eq, Debug)]
struct TokenText {
    kind: TokenKind,
    text: Symbol,
    passes: PassSet,
    line_start: bool,
    space_before: bool,
    expanded: bool,
}

/// A declaration with what is kept of it.
#[derive(Clone, Debug)]
struct DeclarationRecord {
    text: Arc<DeclarationText>,
    names: Vec<Symbol>,
    /// Declarations that mention none of its names may depend on it, as on a using-directive or an operator function.
    has_nonlocal_effect: bool,
    /// The instantiations that it causes in every pass, if it is a settled root.
    settled: Option<Arc<[SettledInstantiation]>>,
    /// The earlier roots on which it depends, counted from the preamble's end.
    depends_on: Arc<[usize]>,
    /// The names that were looked up while it was walked.
    looked_up: Arc<FxHashSet<Symbol>>,
    /// It was parsed.
    parsed: bool,
    /// Per class of passes, how many of its bytes are under syntax errors.
    errors: Vec<(PassSet, usize)>,
}

/// The roots behind the preamble, while they are walked.
pub(in crate::facts) struct MainRoots {
    /// The index of the first declaration behind the preamble.
    first: usize,
    declarations: Vec<DeclarationRecord>,
    relevant: LeadingNames,
    /// The names that were looked up before this analysis, if settled roots are taken over.
    looked_up: Arc<FxHashSet<Symbol>>,
    /// The roots that were walked.
    records: FxHashMap<usize, RootRecord>,
    /// For each instantiation that was visited in the current pass, the root that visited it first.
    visited_by: FxHashMap<Arc<str>, usize>,
    /// A root had an effect on later roots that is not recorded, so no result is kept.
    not_reusable: bool,
}

/// The walks of a root in all passes so far.
#[derive(Default)]
struct RootRecord {
    passes: PassSet,
    instantiations: Vec<SettledInstantiation>,
    /// The instantiations as messages spell them.
    shown: Vec<String>,
    /// The roots that had visited an instantiation before this one came to it.
    depends_on: FxHashSet<usize>,
    looked_up: FxHashSet<Symbol>,
    /// Its instantiations differ between passes, or can't be compared, or some may be lacking.
    unsettled: bool,
}

impl MainRoots {
    /// The roots from declaration `first` on, with those results of the last analysis that are still valid.
    /// `preamble_identifiers` are the identifiers in the preamble.
    pub(in crate::facts) fn new(
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        relevant: &LeadingNames,
        first: usize,
        last: Option<&SettledMainRoots>,
        preamble_identifiers: &FxHashSet<Symbol>,
    ) -> MainRoots {
        let all = &unit.variance.declarations;
        let declarations: Vec<DeclarationRecord> =
            (first..all.len()).map(|top| DeclarationRecord::of(unit, top)).collect();
        let mut own = MainRoots {
            first,
            declarations,
            relevant: relevant.clone(),
            looked_up: Arc::default(),
            records: FxHashMap::default(),
            visited_by: FxHashMap::default(),
            not_reusable: false,
        };
        let passes = views.iter().map(|(passes, _)| *passes);
        let same = last.filter(|last| {
            last.detail == unit.detail.get()
                && last.on_device.as_ref() == unit.on_device.get()
                && last.passes.iter().copied().eq(passes)
                && last.relevant == *relevant
                && last.scopes == unit.variance.scopes
        });
        if let Some(last) = same {
            own.reuse_unaffected(unit, last, preamble_identifiers);
        }
        own
    }

    /// Takes over the results of the last analysis for the declarations that the edit does not invalidate.
    fn reuse_unaffected(
        &mut self,
        unit: &IndexedUnit<'_>,
        last: &SettledMainRoots,
        preamble_identifiers: &FxHashSet<Symbol>,
    ) {
        self.looked_up = Arc::clone(&last.looked_up);
        let (old, new) = (&last.declarations, &mut self.declarations);
        let same = |(old, new): &(&DeclarationRecord, &DeclarationRecord)| old.text == new.text;
        let front = old.iter().zip(new.iter()).take_while(same).count();
        let rests = (old[front..].iter().rev(), new[front..].iter().rev());
        let back = rests.0.zip(rests.1).take_while(same).count();
        let (old_end, new_end) = (old.len() - back, new.len() - back);
        let changed = || old[front..old_end].iter().chain(&new[front..new_end]);
        // No root depends on a name that none looked up.
        let is_looked_up = |name: &Symbol| last.looked_up.contains(name);
        let names = changed().flat_map(|one| one.names.iter().copied()).filter(is_looked_up);
        let mut names: FxHashSet<Symbol> = names.collect();
        if changed().any(|one| one.has_nonlocal_effect) {
            return;
        }
        // The transitive closure: what mentions an invalidated declaration is invalidated too. A name that the preamble
        // mentions could change what its declarations mean, so then nothing is reused.
        let mut invalidated = vec![false; new.len()];
        invalidated[front..new_end].fill(true);
        let count = if names.is_empty() { 0 } else { new.len() };
        let mentioned: Vec<FxHashSet<Symbol>> = (0..count)
            .map(|number| {
                let range = unit.variance.declarations[self.first + number].tokens.clone();
                identifiers(&unit.pp.tokens()[range]).collect()
            })
            .collect();
        loop {
            if names.iter().any(|name| preamble_identifiers.contains(name)) {
                return;
            }
            let before = names.len();
            for (number, known) in new.iter().enumerate() {
                if !invalidated[number] && names.iter().any(|name| mentioned[number].contains(name)) {
                    invalidated[number] = true;
                    if known.has_nonlocal_effect {
                        return;
                    }
                    names.extend(known.names.iter().copied().filter(is_looked_up));
                }
            }
            if names.len() == before {
                break;
            }
        }
        for (number, known) in new.iter_mut().enumerate() {
            let before = match number {
                number if number < front => &old[number],
                number if number >= new_end => &old[number - new_end + old_end],
                _ => continue,
            };
            known.parsed = before.parsed;
            known.errors.clone_from(&before.errors);
            // An invalidated root stays settled if it mentions none of the names that were looked up for it.
            let depends = |name: &Symbol| before.looked_up.contains(name) && mentioned[number].contains(name);
            if !invalidated[number] || !names.iter().any(depends) {
                known.settled.clone_from(&before.settled);
                known.looked_up = Arc::clone(&before.looked_up);
                let moved = |other: &usize| match *other {
                    other if other < front => Some(other),
                    other if other >= old_end => Some(other - old_end + new_end),
                    _ => None,
                };
                match before.depends_on.iter().map(moved).collect() {
                    Some(depends_on) => known.depends_on = depends_on,
                    None => known.settled = None,
                }
            }
        }
        self.invalidate_dependents();
        // The results that are reused depend on these declarations having been parsed.
        for (number, known) in self.declarations.iter().enumerate().filter(|(_, known)| known.parsed) {
            let top = self.first + number;
            unit.parsed_before.borrow_mut().insert(top);
            let errors = known.errors.iter().map(|(passes, bytes)| ((top, *passes), *bytes));
            unit.errors.borrow_mut().extend(errors);
        }
    }

    /// A root that depends on one that is not settled is not settled either.
    fn invalidate_dependents(&mut self) {
        // Each depends on earlier ones only, so one round is enough.
        for number in 0..self.declarations.len() {
            let depends_on = Arc::clone(&self.declarations[number].depends_on);
            if depends_on.iter().any(|other| self.declarations[*other].settled.is_none()) {
                self.declarations[number].settled = None;
            }
        }
    }

    /// Whether a root is settled, so that it need not be walked.
    pub(in crate::facts) fn is_settled(&self, top: usize) -> bool {
        self.declarations[top - self.first].settled.is_some()
    }

    /// Walks a root in the pass that stands for the class `passes`, and records the walk.
    pub(in crate::facts) fn walk(&mut self, walk: &mut Walk<'_>, passes: PassSet, top: usize) {
        let view = walk.view;
        let (state, found) = (walk.state(), walk.found.len());
        let left_open = view.is_left_open();
        walk.history.delta = Some(HistoryDelta::default());
        let looked_up_before = view.unit.looked_up.replace(Some(FxHashSet::default()));
        walk.walk_root(top);
        let looked_up = view.unit.looked_up.replace(looked_up_before).unwrap_or_default();
        view.unit.looked_up.borrow_mut().get_or_insert_default().extend(looked_up.iter().copied());
        let delta = walk.history.delta.take().unwrap_or_default();
        let [_, pending, suppressed, unsettled] = state;
        let [_, pending_now, suppressed_now, unsettled_now] = walk.state();
        self.not_reusable |= suppressed_now != suppressed
            || !delta.left_to_others.is_empty()
            || view.is_left_open() != left_open
            || walk.is_incomplete();
        let without_lambdas = pending_now == pending && delta.called.is_empty();
        let number = top - self.first;
        let others = delta.already_visited.iter().filter_map(|key| self.visited_by.get(key).copied());
        let others: FxHashSet<usize> = others.filter(|other| *other != number).collect();
        let instantiations: Option<Vec<SettledInstantiation>> =
            walk.found[found..].iter().map(|one| settled_instantiation(walk, one)).collect();
        self.visited_by.extend(delta.visited.into_iter().map(|key| (key, number)));
        let shown = walk.found[found..].iter().map(|one| one.shown.clone());
        let record = self.records.entry(top).or_default();
        let first = record.passes.is_empty();
        record.shown.extend(shown);
        record.depends_on.extend(others);
        record.looked_up.extend(looked_up);
        record.passes = record.passes.or(passes);
        record.unsettled |= unsettled_now != unsettled;
        match instantiations.filter(|_| without_lambdas) {
            Some(instantiations) if first => record.instantiations = instantiations,
            Some(instantiations) => record.unsettled |= record.instantiations != instantiations,
            None => record.unsettled = true,
        }
    }

    /// Ends a pass: each pass has a history of its own.
    pub(in crate::facts) fn end_pass(&mut self) {
        self.visited_by.clear();
    }

    /// The instantiations that settled roots cause in every pass.
    pub(in crate::facts) fn settled_instantiations(&self) -> impl Iterator<Item = &SettledInstantiation> {
        self.declarations.iter().filter_map(|known| known.settled.as_deref()).flatten()
    }

    /// The results for the next analysis, if any can be kept. The classes in `layouts` are those whose layouts differ
    /// between passes: a root whose instantiations use one is not settled.
    pub(in crate::facts) fn into_settled(
        mut self,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        layouts: &[LayoutFact],
    ) -> Option<SettledMainRoots> {
        if self.not_reusable || views.iter().any(|(_, view)| view.is_half_spent()) {
            return None;
        }
        let compared = views.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
        let users: FxHashSet<&str> =
            layouts.iter().flat_map(|fact| &fact.uses).map(|usage| usage.name.as_str()).collect();
        #[cfg(test)]
        let walked = self.records.len();
        for (top, record) in std::mem::take(&mut self.records) {
            let same = !record.shown.iter().any(|shown| users.contains(shown.as_str()));
            if record.passes == compared && !record.unsettled && same {
                let known = &mut self.declarations[top - self.first];
                known.settled = Some(record.instantiations.into());
                known.depends_on = record.depends_on.into_iter().collect();
                known.looked_up = Arc::new(record.looked_up);
            }
        }
        self.invalidate_dependents();
        let looked_up = unit.looked_up.take().unwrap_or_default();
        if !looked_up.is_subset(&self.looked_up) {
            Arc::make_mut(&mut self.looked_up).extend(looked_up);
        }
        for top in unit.parsed().into_iter().filter(|top| *top >= self.first) {
            self.declarations[top - self.first].parsed = true;
        }
        for known in &mut self.declarations {
            known.errors.clear();
        }
        for ((top, passes), bytes) in unit.errors.borrow().iter() {
            if let Some(number) = top.checked_sub(self.first) {
                self.declarations[number].errors.push((*passes, *bytes));
            }
        }
        Some(SettledMainRoots {
            detail: unit.detail.get(),
            on_device: unit.on_device.get().cloned(),
            relevant: self.relevant,
            passes: views.iter().map(|(passes, _)| *passes).collect(),
            scopes: unit.variance.scopes.clone(),
            declarations: self.declarations,
            looked_up: self.looked_up,
            #[cfg(test)]
            walked,
        })
    }
}

impl SettledMainRoots {
    /// How many roots were walked, and how many are settled.
    #[cfg(test)]
    pub(in crate::facts) fn roots(&self) -> [usize; 2] {
        [self.walked, self.declarations.iter().filter(|known| known.settled.is_some()).count()]
    }
}

impl DeclarationRecord {
    fn of(unit: &IndexedUnit<'_>, top: usize) -> DeclarationRecord {
        let declaration = &unit.variance.declarations[top];
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        let written = |token: &PpToken| TokenText {
            kind: token.kind,
            text: token.text,
            passes: token.passes,
            line_start: token.line_start,
            space_before: token.space_before,
            expanded: token.expansion.is_some(),
        };
        let (kind, passes, scope) = (declaration.kind, declaration.passes, declaration.scope);
        let text = DeclarationText { kind, passes, scope, tokens: tokens.iter().map(written).collect() };
        let plain = matches!(
            declaration.kind,
            DeclKind::Function
                | DeclKind::Prototype
                | DeclKind::Class
                | DeclKind::Enum
                | DeclKind::Alias
                | DeclKind::Variable
                | DeclKind::Forward
        );
        DeclarationRecord {
            text: Arc::new(text),
            names: declaration.names.clone(),
            has_nonlocal_effect: !plain
                || unit.is_alias_of_namespace(top)
                || declaration.names.is_empty()
                || declaration.names.iter().any(|name| !is_word(*name)),
            settled: None,
            depends_on: Arc::default(),
            looked_up: Arc::default(),
            parsed: false,
            errors: Vec::new(),
        }
    }
}

/// Part of the canonical text of a closure type, followed by the place of the lambda expression.
const LAMBDA: &str = "{lambda";

/// An instantiation that its names alone identify, wherever the code stands; `None` for any other. One with arguments
/// that were not resolved and may differ between passes is told of, so its root is walked each time.
fn settled_instantiation(walk: &Walk<'_>, one: &Instantiation) -> Option<SettledInstantiation> {
    // Closure types are told apart by their places, which an edit moves.
    let plain = !one.variable
        && !one.varies
        && !one.key.contains(LAMBDA)
        && one.ordinary_before.is_empty()
        && !walk.suppressed.contains(&(one.kernel.clone(), one.key.clone()));
    plain.then(|| {
        let parameters: Vec<String> = one.parameters.iter().map(|ty| ty.text(Spelling::Canonical)).collect();
        (one.kernel.clone(), one.key.clone(), parameters.join(", "))
    })
}
