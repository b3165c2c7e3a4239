//! Garbage collection of macro, conditional and group records.
//!
//! A superseded text is never read again. No walk defines its macros any more, so that header records that depend on
//! them never fit again: those records are dropped, and then all numbered records that neither remaining header records
//! nor macros of current texts refer to. No record that remains holds a superseded text.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::expand::definition::{Macro, MacroId};
use crate::preprocess::result::inclusion::Inclusion;
use crate::preprocess::result::records::{Conditional, Definition, Group};
use crate::preprocess::result::registry::Registry;
use crate::preprocess::result::store::{NO_PANIC, NumberSet, Store};
use crate::preprocess::result::tokens::{ConditionalId, DefinitionId, GroupId};
use crate::source::{FileId, Sources, Span};

use super::common::Common;
use super::headers::HeaderRecord;

impl Common {
    /// Drops the records that depend on texts of other files than these, and then all that nothing refers to. Only
    /// between walks, and when no unit that was preprocessed is needed any more; while one is, nothing is dropped.
    pub fn retain(&mut self, files: &FxHashSet<FileId>, sources: &Sources) {
        let Common { registry, macros, partial, headers, .. } = self;
        let Some(registry) = Arc::get_mut(registry) else { return };
        let all = Records { registry, macros: &macros.all };
        let interned = macros.by_site.get_mut().expect(NO_PANIC);
        let partial = partial.by_site.get_mut().expect(NO_PANIC);
        let mut superseded = Superseded::of(all, files);
        if let Some(headers) = headers {
            headers.retain(|record| !superseded.has_record(record));
            headers.each_mut(|record| record.update_included(files, sources));
        }
        interned.retain(|site, id| {
            site.in_file().is_none_or(|file| files.contains(&file)) && !superseded.has_macro(*id)
        });
        partial.retain(|_, variants| {
            variants.retain(|(id, definition)| !superseded.has_macro(*id) && !superseded.has(*definition));
            !variants.is_empty()
        });
        let mut reachable = Reachable::new(all);
        interned.values().for_each(|id| reachable.mark_macro(*id));
        for (id, definition) in partial.values().flatten() {
            reachable.mark_macro(*id);
            reachable.pending.push(Pending::Definition(*definition));
        }
        if let Some(headers) = headers {
            headers.each(|record| reachable.mark_record(record));
        }
        reachable.follow();
        let Reachable { groups, conditionals, definitions, macros: reached, .. } = reachable;
        registry.groups.retain(&groups);
        registry.conditionals.retain(&conditionals);
        registry.definitions.retain(&definitions);
        macros.all.retain(&reached);
    }
}

/// The numbered records.
#[derive(Clone, Copy)]
struct Records<'c> {
    registry: &'c Registry,
    macros: &'c Store<Macro>,
}

/// The records that depend on superseded texts.
struct Superseded<'c> {
    all: Records<'c>,
    files: &'c FxHashSet<FileId>,
    conditionals: NumberSet,
    definitions: NumberSet,
    /// Readings already judged, by address.
    readings: FxHashMap<*const Inclusion, bool>,
}

impl<'c> Superseded<'c> {
    fn of(all: Records<'c>, files: &'c FxHashSet<FileId>) -> Superseded<'c> {
        let (conditionals, definitions) = (NumberSet::default(), NumberSet::default());
        let readings = FxHashMap::default();
        let mut superseded = Superseded { all, files, conditionals, definitions, readings };
        // A record that refers to one of these may be numbered before or behind it.
        while superseded.spread() {}
        superseded
    }

    /// Adds the records that refer to these directly; whether there were any new.
    fn spread(&mut self) -> bool {
        let mut more = false;
        for (number, conditional) in self.all.registry.conditionals.iter() {
            let Some(conditional) = conditional.get() else { continue };
            if !self.conditionals.has(number) && self.depends_conditional(conditional) {
                more |= self.conditionals.add(number);
            }
        }
        for (number, definition) in self.all.registry.definitions.iter() {
            if !self.definitions.has(number) && self.depends_definition(definition) {
                more |= self.definitions.add(number);
            }
        }
        more
    }

    fn depends_conditional(&self, conditional: &Conditional) -> bool {
        let group = |id: &GroupId| self.depends_group(self.all.registry.groups.get(id.index()));
        // The groups of one conditional have one parent.
        conditional.groups.first().is_some_and(group)
            || conditional.reads.iter().flat_map(|read| read.definitions.cases()).any(|(_, id)| self.has(*id))
    }

    fn depends_group(&self, group: &Group) -> bool {
        let around = |id: GroupId| self.all.registry.groups.get(id.index()).conditional;
        self.is_superseded(group.directive)
            || group.parent.is_some_and(|id| self.conditionals.has(around(id).index()))
    }

    fn depends_definition(&self, definition: &Definition) -> bool {
        let around = |id: GroupId| self.all.registry.groups.get(id.index()).conditional;
        definition.at.is_some_and(|at| self.is_superseded(at))
            || definition.like.is_some_and(|id| self.has(id))
            || definition.group.is_some_and(|id| self.conditionals.has(around(id).index()))
    }

    fn is_superseded(&self, at: Span) -> bool {
        !self.files.contains(&at.file)
    }

    fn has(&self, id: impl Into<Option<DefinitionId>>) -> bool {
        id.into().is_some_and(|id| self.definitions.has(id.index()))
    }

    fn has_macro(&self, id: MacroId) -> bool {
        let one = self.all.macros.get(id.number());
        self.has(one.definition) || one.at.is_some_and(|at| self.is_superseded(at))
    }

    fn has_record(&mut self, record: &HeaderRecord) -> bool {
        record.defines().any(|id| self.has_macro(id)) || self.has_reading(&record.inclusion)
    }

    fn has_reading(&mut self, one: &Inclusion) -> bool {
        if let Some(known) = self.readings.get(&std::ptr::from_ref(one)) {
            return *known;
        }
        let has = one.reads_itself(|file| !self.files.contains(&file))
            || one.conditionals.iter().any(|id| self.conditionals.has(id.index()))
            || one.definitions.iter().any(|id| self.has(*id))
            || one.expansions.iter().any(|expansion| self.has(expansion.definition))
            || one.children().any(|child| self.has_reading(&child.inclusion));
        self.readings.insert(one, has);
        has
    }
}

/// The records that remain, found from the roots: macros of current texts and header records.
struct Reachable<'c> {
    all: Records<'c>,
    groups: NumberSet,
    conditionals: NumberSet,
    definitions: NumberSet,
    macros: NumberSet,
    /// Readings already visited, by address.
    readings: FxHashSet<*const Inclusion>,
    /// Records that are referred to and not visited yet.
    pending: Vec<Pending>,
}

/// A record to visit.
enum Pending {
    Group(GroupId),
    Conditional(ConditionalId),
    Definition(DefinitionId),
}

impl Reachable<'_> {
    fn new(all: Records<'_>) -> Reachable<'_> {
        Reachable {
            all,
            groups: NumberSet::default(),
            conditionals: NumberSet::default(),
            definitions: NumberSet::default(),
            macros: NumberSet::default(),
            readings: FxHashSet::default(),
            pending: Vec::new(),
        }
    }

    fn mark_record(&mut self, record: &HeaderRecord) {
        record.defines().for_each(|id| self.mark_macro(id));
        self.mark_reading(&record.inclusion);
    }

    fn mark_macro(&mut self, id: MacroId) {
        if self.macros.add(id.number()) {
            self.pending.push(Pending::Definition(self.all.macros.get(id.number()).definition));
        }
    }

    fn mark_reading(&mut self, one: &Inclusion) {
        if self.readings.insert(one) {
            self.pending.extend(one.conditionals.iter().copied().map(Pending::Conditional));
            self.pending.extend(one.definitions.iter().copied().map(Pending::Definition));
            self.pending.extend(one.expansions.iter().map(|one| Pending::Definition(one.definition)));
            self.pending.extend(one.undefinitions.iter().filter_map(|one| one.group).map(Pending::Group));
            one.children().for_each(|child| self.mark_reading(&child.inclusion));
            self.follow();
        }
    }

    /// Visits the pending records and those that they refer to.
    fn follow(&mut self) {
        let Reachable { all, groups, conditionals, definitions, pending, .. } = self;
        while let Some(one) = pending.pop() {
            match one {
                Pending::Group(id) if groups.add(id.index()) => {
                    let group = all.registry.groups.get(id.index());
                    pending.push(Pending::Conditional(group.conditional));
                    pending.extend(group.parent.map(Pending::Group));
                }
                Pending::Conditional(id) if conditionals.add(id.index()) => {
                    let Some(conditional) = all.registry.conditionals.get(id.index()).get() else { continue };
                    pending.extend(conditional.groups.iter().copied().map(Pending::Group));
                    let reads = conditional.reads.iter().flat_map(|read| read.definitions.cases());
                    pending.extend(reads.filter_map(|(_, id)| *id).map(Pending::Definition));
                }
                Pending::Definition(id) if definitions.add(id.index()) => {
                    let definition = all.registry.definitions.get(id.index());
                    pending.extend(definition.like.map(Pending::Definition));
                    pending.extend(definition.group.map(Pending::Group));
                }
                Pending::Group(_) | Pending::Conditional(_) | Pending::Definition(_) => {}
            }
        }
    }
}
