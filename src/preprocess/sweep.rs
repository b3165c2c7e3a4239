//! How what walks left goes when nothing refers to it any more.
//!
//! A text that another has taken the place of is never read again. Its macros are defined by no walk, so that no
//! header fits any more that was read with them: such headers go, and then all numbered things that neither kept
//! headers nor the macros of current texts refer to. Nothing that stays holds on to a text that went.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{FileId, Sources, Span};

use super::common::{Common, Lists, NO_PANIC};
use super::inclusion::Inclusion;
use super::macros::MacroId;
use super::memo::Record;
use super::store::Numbers;
use super::tokens::{Conditional, ConditionalId, Definition, DefinitionId, Group, GroupId};

impl Common {
    /// Drops what hangs on texts of files other than these, and what nothing refers to that stays. No walk is under
    /// way, and of none that is over the outcome is needed any more.
    pub fn retain(&mut self, files: &FxHashSet<FileId>, sources: &Sources) {
        let Common { lists, places, partly, records, .. } = self;
        let (places, partly) = (places.get_mut().expect(NO_PANIC), partly.get_mut().expect(NO_PANIC));
        let mut gone = Gone::of(lists, files);
        if let Some(records) = records {
            records.retain(|record| !gone.has_record(record));
            records.each_mut(|record| record.let_go(files, sources));
        }
        places.retain(|place, id| {
            place.file().is_none_or(|file| files.contains(&file)) && !gone.has_macro(*id)
        });
        partly.retain(|_, all| {
            all.retain(|(id, definition)| !gone.has_macro(*id) && !gone.has(*definition));
            !all.is_empty()
        });
        let mut live = Live::new(lists);
        places.values().for_each(|id| live.see_macro(*id));
        for (id, definition) in partly.values().flatten() {
            live.see_macro(*id);
            live.left.push(Left::Definition(*definition));
        }
        if let Some(records) = records {
            records.each(|record| live.see_record(record));
        }
        live.follow();
        let Live { groups, conditionals, definitions, macros, .. } = live;
        lists.groups.retain(&groups);
        lists.conditionals.retain(&conditionals);
        lists.definitions.retain(&definitions);
        lists.macros.retain(&macros);
    }
}

/// What hangs on texts that are not read again.
struct Gone<'c> {
    lists: &'c Lists,
    files: &'c FxHashSet<FileId>,
    conditionals: Numbers,
    definitions: Numbers,
    /// Readings that were looked at, by address.
    readings: FxHashMap<*const Inclusion, bool>,
}

impl<'c> Gone<'c> {
    fn of(lists: &'c Lists, files: &'c FxHashSet<FileId>) -> Gone<'c> {
        let (conditionals, definitions) = (Numbers::default(), Numbers::default());
        let mut gone = Gone { lists, files, conditionals, definitions, readings: FxHashMap::default() };
        // What refers to it is numbered earlier or later.
        while gone.spread() {}
        gone
    }

    /// Adds what refers to it directly; says whether that is anything new.
    fn spread(&mut self) -> bool {
        let mut more = false;
        for (number, conditional) in self.lists.conditionals.iter() {
            let Some(conditional) = conditional.get() else { continue };
            if !self.conditionals.has(number) && self.takes_along_conditional(conditional) {
                more |= self.conditionals.add(number);
            }
        }
        for (number, definition) in self.lists.definitions.iter() {
            if !self.definitions.has(number) && self.takes_along_definition(definition) {
                more |= self.definitions.add(number);
            }
        }
        more
    }

    fn takes_along_conditional(&self, conditional: &Conditional) -> bool {
        let group = |id: &GroupId| self.takes_along_group(self.lists.groups.get(id.index()));
        // The groups of one conditional have one parent.
        conditional.groups.first().is_some_and(group)
            || conditional.reads.iter().flat_map(|read| read.definitions.cases()).any(|(_, id)| self.has(*id))
    }

    fn takes_along_group(&self, group: &Group) -> bool {
        let around = |id: GroupId| self.lists.groups.get(id.index()).conditional;
        self.is_of_gone(group.directive)
            || group.parent.is_some_and(|id| self.conditionals.has(around(id).index()))
    }

    fn takes_along_definition(&self, definition: &Definition) -> bool {
        let around = |id: GroupId| self.lists.groups.get(id.index()).conditional;
        definition.at.is_some_and(|at| self.is_of_gone(at))
            || definition.like.is_some_and(|id| self.has(id))
            || definition.group.is_some_and(|id| self.conditionals.has(around(id).index()))
    }

    fn is_of_gone(&self, at: Span) -> bool {
        !self.files.contains(&at.file)
    }

    fn has(&self, id: impl Into<Option<DefinitionId>>) -> bool {
        id.into().is_some_and(|id| self.definitions.has(id.index()))
    }

    fn has_macro(&self, id: MacroId) -> bool {
        let one = self.lists.macros.get(id.index());
        self.has(one.definition) || one.at.is_some_and(|at| self.is_of_gone(at))
    }

    fn has_record(&mut self, record: &Record) -> bool {
        record.leaves().any(|id| self.has_macro(id)) || self.has_reading(record.inclusion())
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

/// What something refers to that stays.
struct Live<'c> {
    lists: &'c Lists,
    groups: Numbers,
    conditionals: Numbers,
    definitions: Numbers,
    macros: Numbers,
    /// Readings that were looked at, by address.
    readings: FxHashSet<*const Inclusion>,
    /// What is referred to and was not looked at.
    left: Vec<Left>,
}

enum Left {
    Group(GroupId),
    Conditional(ConditionalId),
    Definition(DefinitionId),
}

impl Live<'_> {
    fn new(lists: &Lists) -> Live<'_> {
        Live {
            lists,
            groups: Numbers::default(),
            conditionals: Numbers::default(),
            definitions: Numbers::default(),
            macros: Numbers::default(),
            readings: FxHashSet::default(),
            left: Vec::new(),
        }
    }

    fn see_record(&mut self, record: &Record) {
        record.leaves().for_each(|id| self.see_macro(id));
        self.see_reading(record.inclusion());
    }

    fn see_macro(&mut self, id: MacroId) {
        if self.macros.add(id.index()) {
            self.left.push(Left::Definition(self.lists.macros.get(id.index()).definition));
        }
    }

    fn see_reading(&mut self, one: &Inclusion) {
        if self.readings.insert(one) {
            self.left.extend(one.conditionals.iter().copied().map(Left::Conditional));
            self.left.extend(one.definitions.iter().copied().map(Left::Definition));
            self.left.extend(one.expansions.iter().map(|one| Left::Definition(one.definition)));
            self.left.extend(one.undefinitions.iter().filter_map(|one| one.group).map(Left::Group));
            one.children().for_each(|child| self.see_reading(&child.inclusion));
            self.follow();
        }
    }

    /// Adds what that refers to which was not looked at.
    fn follow(&mut self) {
        let Live { lists, groups, conditionals, definitions, left, .. } = self;
        while let Some(one) = left.pop() {
            match one {
                Left::Group(id) if groups.add(id.index()) => {
                    let group = lists.groups.get(id.index());
                    left.push(Left::Conditional(group.conditional));
                    left.extend(group.parent.map(Left::Group));
                }
                Left::Conditional(id) if conditionals.add(id.index()) => {
                    let Some(conditional) = lists.conditionals.get(id.index()).get() else { continue };
                    left.extend(conditional.groups.iter().copied().map(Left::Group));
                    let reads = conditional.reads.iter().flat_map(|read| read.definitions.cases());
                    left.extend(reads.filter_map(|(_, id)| *id).map(Left::Definition));
                }
                Left::Definition(id) if definitions.add(id.index()) => {
                    let definition = lists.definitions.get(id.index());
                    left.extend(definition.like.map(Left::Definition));
                    left.extend(definition.group.map(Left::Group));
                }
                Left::Group(_) | Left::Conditional(_) | Left::Definition(_) => {}
            }
        }
    }
}
