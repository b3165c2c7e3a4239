//! The state of all macros at a moment of a walk: the table, its recent history, pushed macros and `__COUNTER__`.
//!
//! In: definitions and directives as they are executed. Out: what a name means to a set of passes, also at an earlier
//! moment that some token still waits at.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::result::tokens::DefinitionId;
use crate::source::{Symbol, sym};
use crate::target::{ByPass, PassSet};

use super::definition::{Macro, MacroId};
use super::effects::{Split, all_or_none};
use super::interned::MacroStore;
use super::table::MacroTable;

/// All macros as a walk has them.
pub(crate) struct MacroState<'u> {
    pub(crate) store: &'u MacroStore,
    pub(crate) table: MacroTable,
    /// Changes of the table that some waiting token has not seen yet, in order.
    changes: Vec<MacroChange>,
    /// How many changes were recorded.
    changed: u32,
    /// Names that stay keywords though a header defines them.
    keywords: FxHashSet<Symbol>,
    /// The stacks of `#pragma push_macro`.
    pushed: FxHashMap<Symbol, Vec<(PassSet, ByPass<MacroId>)>>,
    /// The next value of `__COUNTER__` in each pass.
    counters: [u32; 64],
}

/// A change of a name's definitions, kept while tokens from before it wait.
struct MacroChange {
    number: u32,
    name: Symbol,
    before: Option<ByPass<MacroId>>,
}

/// A point between the macro changes of a walk: the number of changes before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MacroMoment(u32);

/// CUDA's keywords that headers define as macros: never expanded.
const KEYWORDS: &[Symbol] = &[
    sym::GLOBAL,
    sym::DEVICE,
    sym::HOST,
    sym::CONSTANT,
    sym::SHARED,
    sym::MANAGED,
    sym::LAUNCH_BOUNDS,
    sym::GRID_CONSTANT,
    sym::CLUSTER_DIMS,
    sym::FORCEINLINE,
    sym::NOINLINE,
    sym::ALIGN,
    sym::RESTRICT,
    sym::MAXNREG,
    sym::BLOCK_SIZE,
];

impl<'u> MacroState<'u> {
    /// No macros yet; CUDA's keywords are not expanded.
    pub(crate) fn new(store: &'u MacroStore) -> MacroState<'u> {
        MacroState {
            store,
            table: MacroTable::default(),
            changes: Vec::new(),
            changed: 0,
            keywords: KEYWORDS.iter().copied().collect(),
            pushed: FxHashMap::default(),
            counters: [0; 64],
        }
    }

    /// Expands CUDA's keywords where headers define them.
    pub(crate) fn expand_keywords(&mut self) {
        self.keywords.clear();
    }

    /// Whether CUDA's keywords stay keywords.
    pub(crate) fn has_keywords(&self) -> bool {
        !self.keywords.is_empty()
    }

    /// Whether the name is a keyword, whatever headers define it as.
    pub(crate) fn is_keyword(&self, name: Symbol) -> bool {
        self.keywords.contains(&name)
    }

    // ---- definitions of names ----

    /// The macro `name` is to the passes of `set` at a moment.
    pub(crate) fn meaning(
        &mut self,
        name: Symbol,
        set: PassSet,
        at: MacroMoment,
    ) -> Result<Option<MacroId>, Split> {
        self.agreed(name, set, at, |_, id| id)
    }

    /// The definition that `name` has for the passes of `set` at a moment; equal definitions at different sites count
    /// as one.
    pub(crate) fn definition(
        &mut self,
        name: Symbol,
        set: PassSet,
        at: MacroMoment,
    ) -> Result<Option<DefinitionId>, Split> {
        self.agreed(name, set, at, |store, id| store.get(id).definition)
    }

    fn agreed<T: PartialEq>(
        &mut self,
        name: Symbol,
        set: PassSet,
        at: MacroMoment,
        view: impl Fn(&MacroStore, MacroId) -> T,
    ) -> Result<Option<T>, Split> {
        self.table.note_lookup(name);
        let view = |id| view(self.store, id);
        let mut cases = self.table.get(name);
        if at.0 < self.changed {
            let first = self.changes.iter().find(|change| change.number > at.0 && change.name == name);
            cases = first.map_or(cases, |change| change.before.as_ref());
        }
        let Some(cases) = cases else { return Ok(None) };
        if let [(passes, id)] = cases.cases()
            && passes.contains(set)
        {
            return Ok(Some(view(*id)));
        }
        let meets = |(passes, _): &&(PassSet, MacroId)| passes.meets(set);
        let Some((_, id)) = cases.cases().iter().find(meets) else { return Ok(None) };
        let value = view(*id);
        let alike = cases.cases().iter().filter(|(_, id)| view(*id) == value);
        all_or_none(set, alike.fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes)))?;
        Ok(Some(value))
    }

    /// The definitions of `name` in the passes of `set`.
    pub(crate) fn definitions(&mut self, name: Symbol, set: PassSet) -> ByPass<Option<DefinitionId>> {
        let mut definitions = ByPass::new();
        let mut rest = set;
        let cases = self.table.look_up(name);
        for (passes, id) in cases.iter().filter(|(passes, _)| passes.meets(set)) {
            definitions.set(passes.and(set), Some(self.store.get(*id).definition));
            rest = rest.minus(*passes);
        }
        if !rest.is_empty() {
            definitions.set(rest, None);
        }
        definitions
    }

    /// Whether the name is a macro in some pass, or was one for a token that waits, and is no keyword.
    pub(crate) fn may_be_macro(&mut self, name: Symbol) -> bool {
        (self.table.has(name) || self.has_changes()) && !self.is_keyword(name)
    }

    /// A macro.
    pub(crate) fn get(&self, id: MacroId) -> &'u Macro {
        self.store.get(id)
    }

    // ---- history ----

    /// Now.
    pub(crate) fn moment(&self) -> MacroMoment {
        MacroMoment(self.changed)
    }

    /// Whether some name had other definitions at the moment of a token that waits.
    pub(crate) fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Records that `name` is about to change while tokens wait.
    pub(crate) fn record_change(&mut self, name: Symbol) {
        self.changed += 1;
        let before = self.table.get(name).cloned();
        self.changes.push(MacroChange { number: self.changed, name, before });
    }

    /// Backdates the definitions of `name` for the passes of `set`: it was their text that changed them, and all
    /// of their tokens that still wait stand behind that text.
    pub(crate) fn backdate(&mut self, name: Symbol, set: PassSet) {
        let now = self.table.look_up(name);
        for change in self.changes.iter_mut().filter(|change| change.name == name) {
            let before = change.before.get_or_insert_default();
            before.clear(set);
            for (passes, id) in now.iter().filter(|(passes, _)| passes.meets(set)) {
                before.set(passes.and(set), *id);
            }
        }
    }

    /// Forgets the history: no token waits any more.
    pub(crate) fn forget_changes(&mut self) {
        self.changes.clear();
    }

    // ---- pushed macros ----

    /// Pushes the definitions of a name for the passes of `set`.
    pub(crate) fn push(&mut self, name: Symbol, set: PassSet) {
        let mut saved = ByPass::new();
        let cases = self.table.look_up(name);
        for (passes, id) in cases.iter().filter(|(passes, _)| passes.meets(set)) {
            saved.set(passes.and(set), *id);
        }
        self.pushed.entry(name).or_default().push((set, saved));
    }

    /// Pops them. `undefine` undefines the name for a set of passes as a directive does, at the moment of the pop.
    pub(crate) fn pop_macro(
        &mut self,
        name: Symbol,
        mut set: PassSet,
        undefine: impl Fn(&mut Self, PassSet),
    ) {
        let mut stack = self.pushed.remove(&name).unwrap_or_default();
        for (passes, saved) in stack.iter_mut().rev() {
            let part = passes.and(set);
            undefine(self, part);
            for (case, id) in saved.cases().iter().filter(|(case, _)| case.meets(part)) {
                self.table.set(name, case.and(part), *id);
            }
            *passes = passes.minus(part);
            set = set.minus(part);
        }
        stack.retain(|(passes, _)| !passes.is_empty());
        self.pushed.insert(name, stack);
    }

    // ---- __COUNTER__ ----

    /// The value of `__COUNTER__` for the passes of `set`.
    pub(crate) fn counter(&self, set: PassSet) -> Result<u32, Split> {
        let value = self.counters[set.lowest().expect("an expander's set is never empty")];
        let same = set.iter().filter(|pass| self.counters[*pass] == value);
        let same = same.fold(PassSet::EMPTY, |all, pass| all.or(PassSet::single(pass)));
        all_or_none(set, same).map(|_| value)
    }

    /// Counts `__COUNTER__` on for the passes of `set`.
    pub(crate) fn count(&mut self, set: PassSet, times: usize) {
        for pass in set.iter() {
            self.counters[pass] += times as u32;
        }
    }
}
