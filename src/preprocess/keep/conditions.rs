//! The condition memo: results of controlling expressions, reused while the macros that they looked up are the same.
//!
//! Headers ask the same again and again: which compiler, which version of it, through dozens of macros. Only results
//! that depend on macros alone are kept.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::preprocess::condition::line::Line;
use crate::preprocess::expand::definition::Meaning;
use crate::preprocess::expand::interned::MacroStore;
use crate::preprocess::expand::table::{MacroTable, Tracking, fingerprint};
use crate::preprocess::result::records::MacroRead;
use crate::preprocess::result::written::Written;
use crate::source::{Symbol, Token};
use crate::target::PassSet;

/// How many results of one condition are kept; the oldest makes room for another.
const VARIANTS: usize = 8;

/// Results by fingerprint of the condition.
#[derive(Default)]
pub(crate) struct ConditionMemo {
    results: FxHashMap<u64, Vec<ConditionResult>>,
}

/// A condition asked of some passes.
#[derive(Clone, Copy)]
pub(crate) struct Condition<'l> {
    line: Line<'l>,
    set: PassSet,
    fingerprint: u64,
}

/// The outcome of a condition: the passes that it is true for, and the macro names that it read.
#[derive(Clone)]
pub(crate) struct Outcome {
    pub(crate) yes: PassSet,
    pub(crate) reads: Arc<[MacroRead]>,
}

/// A result and the macros that it depends on.
struct ConditionResult {
    directive: Written,
    set: PassSet,
    /// The fingerprint of all macros.
    state: u64,
    /// The names that were looked up, by fingerprint of their definitions.
    lookups: Box<[(Symbol, u64)]>,
    outcome: Outcome,
}

impl<'l> Condition<'l> {
    /// The condition of a line, for the passes of `set`.
    pub(crate) fn new(line: Line<'l>, set: PassSet) -> Condition<'l> {
        let tokens = line.rest().iter().map(|token| (token.text, token.space_before));
        let fingerprint = tokens.fold(fingerprint(set), |hash, token| fingerprint((hash, token)));
        Condition { line, set, fingerprint }
    }
}

impl ConditionResult {
    /// Whether it is the result of this condition, under whatever macros.
    fn is_of(&self, condition: &Condition<'_>) -> bool {
        let same = |(a, b): (&Token, &Token)| a.text == b.text && a.space_before == b.space_before;
        let (own, tokens) = (self.directive.defined(), condition.line.rest());
        self.set == condition.set && own.len() == tokens.len() && own.iter().zip(tokens).all(same)
    }
}

impl ConditionMemo {
    /// The outcome of a condition whose macros are the same as before.
    pub(crate) fn find(&self, condition: &Condition<'_>, table: &mut MacroTable) -> Option<Outcome> {
        let state = table.state();
        let same = |result: &&ConditionResult| {
            let same = |(name, found): &(Symbol, u64)| table.fingerprint_of(*name) == *found;
            result.is_of(condition) && (result.state == state || result.lookups.iter().all(same))
        };
        let result = self.results.get(&condition.fingerprint)?.iter().rev().find(same)?;
        if table.is_tracking() {
            result.lookups.iter().for_each(|(name, _)| table.note_lookup(*name));
        }
        Some(result.outcome.clone())
    }

    /// Keeps an outcome that depends on nothing but the macros looked up, unless the preprocessor computes one of them.
    pub(crate) fn add(
        &mut self,
        condition: &Condition<'_>,
        outcome: &Outcome,
        tracking: &Tracking,
        table: &MacroTable,
        store: &MacroStore,
    ) {
        let lookups: Box<[_]> = table.lookups(tracking).map(|lookup| (lookup.name, lookup.found)).collect();
        // What the preprocessor computes may be something else the next time.
        let computed = lookups.iter().filter_map(|(name, _)| table.get(*name)).any(|cases| {
            let computed = |meaning| matches!(meaning, Meaning::Builtin(_));
            cases.cases().iter().any(|(_, id)| computed(store.get(*id).meaning))
        });
        if computed {
            return;
        }
        let (directive, set, state) = (condition.line.written(), condition.set, table.state());
        let results = self.results.entry(condition.fingerprint).or_default();
        if results.len() >= VARIANTS {
            results.remove(0);
        }
        results.push(ConditionResult { directive, set, state, lookups, outcome: outcome.clone() });
    }
}
