//! What the walks of a run have in common: the macros, conditionals and groups that headers they share
//! refer to, and those headers as they were read before.
//!
//! All of it is numbered for the whole run, and nothing of it changes once a walk is done: that is why a
//! header read for one unit can stand in another as it is. What nothing refers to any more goes between walks.

use std::sync::{OnceLock, RwLock};

use rustc_hash::FxHashMap;

use crate::project::{Answers, IncludeSearch};
use crate::source::{FileId, Symbol};
use crate::target::PassSet;

use super::macros::{Macro, MacroId};
use super::memo::Records;
use super::store::Store;
use super::tokens::{Conditional, ConditionalId, Definition, DefinitionId, Group, GroupId};

/// What the walks of a run have in common; shared between threads.
#[derive(Debug)]
pub struct Common {
    pub(super) lists: Lists,
    /// Macros that are the same in whatever walk they are defined.
    pub(super) places: RwLock<FxHashMap<Place, MacroId>>,
    /// Macros that conditionals gave to some passes, each with its own definition.
    pub(super) partly: RwLock<FxHashMap<Place, Vec<(MacroId, DefinitionId)>>>,
    /// What headers are found by; records are of one of them.
    searches: RwLock<Vec<(IncludeSearch, Option<Answers>)>>,
    /// Headers read before; `None` where nothing is to be kept.
    pub(super) records: Option<Records>,
}

/// What has a number for the whole run.
#[derive(Default, Debug)]
pub(super) struct Lists {
    pub(super) groups: Store<Group>,
    /// Each is known when its `#endif` is.
    pub(super) conditionals: Store<OnceLock<Conditional>>,
    pub(super) definitions: Store<Definition>,
    pub(super) macros: Store<Macro>,
}

/// How many macros are known of a place that conditionals give to some passes.
const EARLIER: usize = 8;

/// Where a macro is defined.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    /// The directive whose macro name has this offset, for these passes.
    Written(FileId, u32, PassSet),
    /// Before the first line, with this value.
    Predefined(Symbol, String, PassSet),
    /// By the preprocessor itself.
    Builtin(Symbol, PassSet),
}

impl Place {
    /// The file that it is in, if it is in one.
    pub(super) fn file(&self) -> Option<FileId> {
        match self {
            Place::Written(file, _, _) => Some(*file),
            Place::Predefined(..) | Place::Builtin(..) => None,
        }
    }

    /// The passes that have it.
    pub(super) fn passes(&self) -> PassSet {
        match self {
            Place::Written(_, _, passes) | Place::Predefined(_, _, passes) | Place::Builtin(_, passes) => {
                *passes
            }
        }
    }
}

/// Why no lock here is ever poisoned.
pub(super) const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Default for Common {
    fn default() -> Common {
        Common::with(Some(Records::default()))
    }
}

impl Common {
    /// Nothing yet.
    pub fn new() -> Common {
        Common::default()
    }

    /// Nothing yet, and no header is ever kept: each is read anew wherever it is included.
    pub fn forgetful() -> Common {
        Common::with(None)
    }

    fn with(records: Option<Records>) -> Common {
        Common {
            lists: Lists::default(),
            places: RwLock::default(),
            partly: RwLock::default(),
            searches: RwLock::default(),
            records,
        }
    }

    /// Drops the headers that read one of these files.
    pub fn supersede(&self, files: &[FileId]) {
        if let Some(records) = self.records.as_ref().filter(|_| !files.is_empty()) {
            records.supersede(files);
        }
    }

    /// Drops all headers: a file has come that any of them may mean.
    pub fn clear(&self) {
        if let Some(records) = &self.records {
            records.clear();
        }
    }

    /// How many things it has that are numbered for the whole run.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        let Lists { groups, conditionals, definitions, macros } = &self.lists;
        groups.count() + conditionals.count() + definitions.count() + macros.count()
    }

    /// The addresses of the readings that are kept of a file.
    #[cfg(test)]
    pub(crate) fn readings(&self, file: FileId) -> Vec<usize> {
        self.records.as_ref().map_or(Vec::new(), |records| records.readings(file))
    }

    /// The number of a way to find headers and to answer `__has_builtin`.
    pub(super) fn search(&self, search: &IncludeSearch, answers: Option<&Answers>) -> usize {
        let same =
            |(known, said): &(IncludeSearch, Option<Answers>)| known == search && said.as_ref() == answers;
        if let Some(found) = self.searches.read().expect(NO_PANIC).iter().position(same) {
            return found;
        }
        let mut searches = self.searches.write().expect(NO_PANIC);
        searches.iter().position(same).unwrap_or_else(|| {
            searches.push((search.clone(), answers.cloned()));
            searches.len() - 1
        })
    }

    /// The macro that the definition in a place made, if some walk met it.
    pub(super) fn made(&self, place: &Place) -> Option<MacroId> {
        self.places.read().expect(NO_PANIC).get(place).copied()
    }

    /// The macro of a place: what another walk made meanwhile, or else what `make` makes.
    pub(super) fn make(&self, place: Place, make: impl FnOnce() -> MacroId) -> MacroId {
        *self.places.write().expect(NO_PANIC).entry(place).or_insert_with(make)
    }

    /// The macros that a directive made for some passes, in other readings.
    pub(super) fn earlier(&self, place: &Place) -> Vec<(MacroId, DefinitionId)> {
        self.partly.read().expect(NO_PANIC).get(place).cloned().unwrap_or_default()
    }

    /// Adds one to them.
    pub(super) fn add_earlier(&self, place: Place, made: (MacroId, DefinitionId)) {
        let mut partly = self.partly.write().expect(NO_PANIC);
        let all = partly.entry(place).or_default();
        if all.len() >= EARLIER {
            all.remove(0);
        }
        all.push(made);
    }

    pub(super) fn add_group(&self, group: Group) -> GroupId {
        GroupId::new(self.lists.groups.push(group))
    }

    /// A conditional of which nothing is known yet.
    pub(super) fn add_conditional(&self) -> ConditionalId {
        ConditionalId::new(self.lists.conditionals.push(OnceLock::new()))
    }

    /// Says what there is to know of a conditional.
    pub(super) fn settle(&self, id: ConditionalId, conditional: Conditional) {
        let settled = self.lists.conditionals.get(id.index()).set(conditional);
        debug_assert!(settled.is_ok(), "a conditional ends once");
    }

    pub(super) fn add_definition(&self, definition: Definition) -> DefinitionId {
        DefinitionId::new(self.lists.definitions.push(definition))
    }

    pub(super) fn add_macro(&self, one: Macro) -> MacroId {
        let id = self.lists.macros.push(one);
        MacroId(u32::try_from(id).expect("fewer macros than tokens"))
    }

    pub(super) fn group(&self, id: GroupId) -> &Group {
        self.lists.groups.get(id.index())
    }

    /// A conditional, if its `#endif` was met.
    pub(super) fn ended(&self, id: ConditionalId) -> Option<&Conditional> {
        self.lists.conditionals.get(id.index()).get()
    }

    pub(super) fn conditional(&self, id: ConditionalId) -> &Conditional {
        self.lists
            .conditionals
            .get(id.index())
            .get()
            .expect("a walk that is done has settled its conditionals")
    }

    pub(super) fn definition(&self, id: DefinitionId) -> &Definition {
        self.lists.definitions.get(id.index())
    }

    pub(super) fn macro_of(&self, id: MacroId) -> &Macro {
        self.lists.macros.get(id.index())
    }
}
