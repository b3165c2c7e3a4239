//! Roots behind the headers that an edited unit begins with, which an edit elsewhere leaves alone.
//!
//! A root is *settled* when every pass instantiates the same by it, with parameters whose bytes are the same: nothing
//! of that differs, and whether all arguments are known is asked of what differs alone. It leans on the roots before it
//! that were followed for what it leads to as well, and is settled with them. As long as neither its text nor anything
//! that its names may lead to is another, it is settled still, and is not walked again. Names that no root looked up
//! lead nowhere.
//! **Invariant:** in doubt a root is walked.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind};
use crate::target::PassSet;
use crate::variance::{DeclKind, Scope, ScopeId};

use crate::facts::LayoutFact;
use crate::facts::index::token_facts::is_word;
use crate::facts::index::tokens::identifiers;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::history::HistoryDelta;
use crate::facts::instantiate::walk::{Instantiation, Walk};
use crate::facts::lower::nodes::Detail;
use crate::facts::meaning::types::Spelling;
use crate::facts::meaning::view::View;

/// An instantiation: the template, the arguments, the parameters' types.
pub(in crate::facts) type MadeInstantiation = (String, String, String);

/// What is known of the declarations behind the headers for the next analysis.
#[derive(Debug)]
pub(in crate::facts) struct SettledMainRoots {
    detail: Detail,
    relevant: FxHashSet<Symbol>,
    passes: Vec<PassSet>,
    scopes: Vec<Scope>,
    declarations: Vec<DeclarationRecord>,
    /// The names that were looked up since the first of the settled roots was walked.
    asked: Arc<FxHashSet<Symbol>>,
    /// How many roots were walked.
    #[cfg(test)]
    walked: usize,
}

/// All that a declaration's own text tells.
#[derive(PartialEq, Eq, Debug)]
struct Text {
    kind: DeclKind,
    passes: PassSet,
    scope: ScopeId,
    tokens: Vec<Written>,
}

/// A token without its place.
#[derive(PartialEq, Eq, Debug)]
struct Written {
    kind: TokenKind,
    text: Symbol,
    passes: PassSet,
    line_start: bool,
    space_before: bool,
    expanded: bool,
}

/// What is known of a declaration.
#[derive(Clone, Debug)]
struct DeclarationRecord {
    text: Arc<Text>,
    names: Vec<Symbol>,
    /// Declarations that mention none of its names may hang on it.
    acts_at_a_distance: bool,
    /// What it instantiates in every pass, if it is a settled root.
    settled: Option<Arc<[MadeInstantiation]>>,
    /// The numbers of the settled roots that followed for it what it leads to.
    leans_on: Arc<[usize]>,
    /// The names that were looked up for it, but for those that what it leads to mentions.
    asked: Arc<FxHashSet<Symbol>>,
    /// It was parsed, and with how many bytes that the grammar could not read.
    parsed: bool,
    errors: Vec<(PassSet, usize)>,
}

/// The roots behind the headers, while they are walked.
pub(in crate::facts) struct MainRoots {
    /// The number of the first declaration behind the headers.
    first: usize,
    declarations: Vec<DeclarationRecord>,
    relevant: FxHashSet<Symbol>,
    /// What the last analysis knew of names that were looked up, if it left settled roots.
    asked: Arc<FxHashSet<Symbol>>,
    /// The roots that are walked, with what each did.
    records: FxHashMap<usize, RootRecord>,
    /// What the roots visited in the pass at hand, and which did.
    visited: FxHashMap<Arc<str>, usize>,
    /// Something happened that later roots hang on.
    entangled: bool,
}

#[derive(Default)]
struct RootRecord {
    passes: PassSet,
    made: Vec<MadeInstantiation>,
    /// The instantiations in words.
    shown: Vec<String>,
    /// The numbers of the roots that had visited what it leads to.
    leans_on: FxHashSet<usize>,
    asked: FxHashSet<Symbol>,
    /// It is not settled.
    differs: bool,
}

impl MainRoots {
    /// Those from declaration number `first` on, going on from the last analysis. `of_headers` are the identifiers in the
    /// headers.
    pub(in crate::facts) fn new(
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        relevant: &FxHashSet<Symbol>,
        first: usize,
        last: Option<&SettledMainRoots>,
        of_headers: &FxHashSet<Symbol>,
    ) -> MainRoots {
        let all = &unit.variance.declarations;
        let declarations: Vec<DeclarationRecord> =
            (first..all.len()).map(|top| DeclarationRecord::of(unit, top)).collect();
        let mut own = MainRoots {
            first,
            declarations,
            relevant: relevant.clone(),
            asked: Arc::default(),
            records: FxHashMap::default(),
            visited: FxHashMap::default(),
            entangled: false,
        };
        let passes = views.iter().map(|(passes, _)| *passes);
        let same = last.filter(|last| {
            last.detail == unit.detail.get()
                && last.passes.iter().copied().eq(passes)
                && last.relevant == *relevant
                && last.scopes == unit.variance.scopes
        });
        if let Some(last) = same {
            own.take_over(unit, last, of_headers);
        }
        own
    }

    /// Takes over what no change concerns.
    fn take_over(&mut self, unit: &IndexedUnit<'_>, last: &SettledMainRoots, of_headers: &FxHashSet<Symbol>) {
        self.asked = Arc::clone(&last.asked);
        let (old, new) = (&last.declarations, &mut self.declarations);
        let same = |(old, new): &(&DeclarationRecord, &DeclarationRecord)| old.text == new.text;
        let front = old.iter().zip(new.iter()).take_while(same).count();
        let rests = (old[front..].iter().rev(), new[front..].iter().rev());
        let back = rests.0.zip(rests.1).take_while(same).count();
        let (old_end, new_end) = (old.len() - back, new.len() - back);
        let changed = || old[front..old_end].iter().chain(&new[front..new_end]);
        // What no root ever looked up concerns none.
        let is_asked = |name: &Symbol| last.asked.contains(name);
        let names = changed().flat_map(|one| one.names.iter().copied()).filter(is_asked);
        let mut names: FxHashSet<Symbol> = names.collect();
        if changed().any(|one| one.acts_at_a_distance) {
            return;
        }
        // What mentions what changed may be another too, and so on.
        let mut concerned = vec![false; new.len()];
        concerned[front..new_end].fill(true);
        let looked_into = if names.is_empty() { 0 } else { new.len() };
        let mentioned: Vec<FxHashSet<Symbol>> = (0..looked_into)
            .map(|number| {
                let range = unit.variance.declarations[self.first + number].tokens.clone();
                identifiers(&unit.pp.tokens()[range]).collect()
            })
            .collect();
        loop {
            if names.iter().any(|name| of_headers.contains(name)) {
                return;
            }
            let before = names.len();
            for (number, known) in new.iter().enumerate() {
                if !concerned[number] && names.iter().any(|name| mentioned[number].contains(name)) {
                    concerned[number] = true;
                    if known.acts_at_a_distance {
                        return;
                    }
                    names.extend(known.names.iter().copied().filter(is_asked));
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
            // It may mention names that matter to nothing that it instantiates.
            let asks = |name: &Symbol| before.asked.contains(name) && mentioned[number].contains(name);
            if !concerned[number] || !names.iter().any(asks) {
                known.settled.clone_from(&before.settled);
                known.asked = Arc::clone(&before.asked);
                let moved = |other: &usize| match *other {
                    other if other < front => Some(other),
                    other if other >= old_end => Some(other - old_end + new_end),
                    _ => None,
                };
                match before.leans_on.iter().map(moved).collect() {
                    Some(leans_on) => known.leans_on = leans_on,
                    None => known.settled = None,
                }
            }
        }
        self.unsettle();
        // What was looked into for the others was looked into for these.
        for (number, known) in self.declarations.iter().enumerate().filter(|(_, known)| known.parsed) {
            let top = self.first + number;
            unit.looked_into.borrow_mut().insert(top);
            let errors = known.errors.iter().map(|(passes, bytes)| ((top, *passes), *bytes));
            unit.errors.borrow_mut().extend(errors);
        }
    }

    /// What leans on a root that is not settled is not settled either.
    fn unsettle(&mut self) {
        // Each leans on earlier ones alone.
        for number in 0..self.declarations.len() {
            let leans_on = Arc::clone(&self.declarations[number].leans_on);
            if leans_on.iter().any(|other| self.declarations[*other].settled.is_none()) {
                self.declarations[number].settled = None;
            }
        }
    }

    /// The root need not be walked.
    pub(in crate::facts) fn is_settled(&self, top: usize) -> bool {
        self.declarations[top - self.first].settled.is_some()
    }

    /// Walks a root in a pass of the class `passes`.
    pub(in crate::facts) fn walk(&mut self, walk: &mut Walk<'_>, passes: PassSet, top: usize) {
        let view = walk.view;
        let (state, found) = (walk.state(), walk.found.len());
        let left_open = view.is_left_open();
        walk.history.noted = Some(HistoryDelta::default());
        let asked_before = view.unit.asked.replace(Some(FxHashSet::default()));
        walk.root(top);
        let asked = view.unit.asked.replace(asked_before).unwrap_or_default();
        view.unit.asked.borrow_mut().get_or_insert_default().extend(asked.iter().copied());
        let noted = walk.history.noted.take().unwrap_or_default();
        let [_, met, suppressed] = state;
        let [_, met_now, suppressed_now] = walk.state();
        self.entangled |= suppressed_now != suppressed
            || !noted.elsewhere.is_empty()
            || view.is_left_open() != left_open
            || walk.is_incomplete();
        let alone = met_now == met && noted.called.is_empty();
        let number = top - self.first;
        let others = noted.met_again.iter().filter_map(|key| self.visited.get(key).copied());
        let others: FxHashSet<usize> = others.filter(|other| *other != number).collect();
        let made: Option<Vec<MadeInstantiation>> =
            walk.found[found..].iter().map(|one| made(walk, one)).collect();
        self.visited.extend(noted.visited.into_iter().map(|key| (key, number)));
        let shown = walk.found[found..].iter().map(|one| one.shown.clone());
        let record = self.records.entry(top).or_default();
        let first = record.passes.is_empty();
        record.shown.extend(shown);
        record.leans_on.extend(others);
        record.asked.extend(asked);
        record.passes = record.passes.or(passes);
        match made.filter(|_| alone) {
            Some(made) if first => record.made = made,
            Some(made) => record.differs |= record.made != made,
            None => record.differs = true,
        }
    }

    /// A pass is walked to its end.
    pub(in crate::facts) fn end_pass(&mut self) {
        self.visited.clear();
    }

    /// What the settled roots that were not walked instantiate in every pass.
    pub(in crate::facts) fn made(&self) -> impl Iterator<Item = &MadeInstantiation> {
        self.declarations.iter().filter_map(|known| known.settled.as_deref()).flatten()
    }

    /// What the next analysis may go on from. The classes in `layouts` have other bytes in other passes.
    pub(in crate::facts) fn settle(
        mut self,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        layouts: &[LayoutFact],
    ) -> Option<SettledMainRoots> {
        if self.entangled || views.iter().any(|(_, view)| view.is_half_spent()) {
            return None;
        }
        let compared = views.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
        let users: FxHashSet<&str> =
            layouts.iter().flat_map(|fact| &fact.uses).map(|usage| usage.name.as_str()).collect();
        #[cfg(test)]
        let walked = self.records.len();
        for (top, record) in std::mem::take(&mut self.records) {
            let same = !record.shown.iter().any(|shown| users.contains(shown.as_str()));
            if record.passes == compared && !record.differs && same {
                let known = &mut self.declarations[top - self.first];
                known.settled = Some(record.made.into());
                known.leans_on = record.leans_on.into_iter().collect();
                known.asked = Arc::new(record.asked);
            }
        }
        self.unsettle();
        let asked = unit.asked.take().unwrap_or_default();
        if !asked.is_subset(&self.asked) {
            Arc::make_mut(&mut self.asked).extend(asked);
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
            relevant: self.relevant,
            passes: views.iter().map(|(passes, _)| *passes).collect(),
            scopes: unit.variance.scopes.clone(),
            declarations: self.declarations,
            asked: self.asked,
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
        let written = |token: &PpToken| Written {
            kind: token.kind,
            text: token.text,
            passes: token.passes,
            line_start: token.line_start,
            space_before: token.space_before,
            expanded: token.expansion.is_some(),
        };
        let (kind, passes, scope) = (declaration.kind, declaration.passes, declaration.scope);
        let text = Text { kind, passes, scope, tokens: tokens.iter().map(written).collect() };
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
            acts_at_a_distance: !plain
                || unit.is_alias_of_namespace(top)
                || declaration.names.is_empty()
                || declaration.names.iter().any(|name| !is_word(*name)),
            settled: None,
            leans_on: Arc::default(),
            asked: Arc::default(),
            parsed: false,
            errors: Vec::new(),
        }
    }
}

/// What the names of types without a name contain, in front of a place.
const LAMBDA: &str = "{lambda";

/// An instantiation that is told by its names alone; `None` for any other.
fn made(walk: &Walk<'_>, one: &Instantiation) -> Option<MadeInstantiation> {
    // Lambdas are told apart by where they stand.
    let plain = !one.variable
        && !one.key.contains(LAMBDA)
        && one.ordinary_before.is_empty()
        && !walk.suppressed.contains(&(one.kernel.clone(), one.key.clone()));
    plain.then(|| {
        let parameters: Vec<String> = one.parameters.iter().map(|ty| ty.text(Spelling::Canonical)).collect();
        (one.kernel.clone(), one.key.clone(), parameters.join(", "))
    })
}
