//! What the walks of a run have in common: the macros, conditionals and groups that headers they share
//! refer to, and those headers as they were read before.
//!
//! All of it is numbered for the whole run, and nothing of it changes once a walk is done: that is why a
//! header read for one unit can stand in another as it is.

use std::sync::{OnceLock, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::{Answers, IncludeSearch};
use crate::source::{FileId, Symbol};
use crate::target::PassSet;

use super::macros::{Macro, MacroId};
use super::memo::Records;
use super::tokens::{Conditional, ConditionalId, Definition, DefinitionId, Group, GroupId};

/// What the walks of a run have in common; shared between threads.
#[derive(Debug)]
pub struct Common {
    groups: boxcar::Vec<Group>,
    /// Each is known when its `#endif` is.
    conditionals: boxcar::Vec<OnceLock<Conditional>>,
    definitions: boxcar::Vec<Definition>,
    macros: boxcar::Vec<Macro>,
    /// Macros that are the same in whatever walk they are defined.
    places: RwLock<FxHashMap<Place, MacroId>>,
    /// Macros that conditionals gave to some passes, each with its own definition.
    partly: RwLock<FxHashMap<Place, Vec<(MacroId, DefinitionId)>>>,
    /// What headers are found by; records are of one of them.
    searches: RwLock<Vec<(IncludeSearch, Option<Answers>)>>,
    /// Headers read before; `None` where nothing is to be kept.
    pub(super) records: Option<Records>,
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
            groups: boxcar::Vec::new(),
            conditionals: boxcar::Vec::new(),
            definitions: boxcar::Vec::new(),
            macros: boxcar::Vec::new(),
            places: RwLock::default(),
            partly: RwLock::default(),
            searches: RwLock::default(),
            records,
        }
    }

    /// Drops the headers that read a file other than these.
    pub fn retain(&self, files: &FxHashSet<FileId>) {
        if let Some(records) = &self.records {
            records.retain(files);
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

    /// About how many bytes it holds that [`Common::retain`] does not free.
    pub fn lasting(&self) -> usize {
        self.groups.count() * size_of::<Group>()
            + self.conditionals.count() * size_of::<Conditional>()
            + self.definitions.count() * size_of::<Definition>()
            + self.macros.count() * size_of::<Macro>()
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
        GroupId::new(self.groups.push(group))
    }

    /// A conditional of which nothing is known yet.
    pub(super) fn add_conditional(&self) -> ConditionalId {
        ConditionalId::new(self.conditionals.push(OnceLock::new()))
    }

    /// Says what there is to know of a conditional.
    pub(super) fn settle(&self, id: ConditionalId, conditional: Conditional) {
        let settled = self.conditionals[id.index()].set(conditional);
        debug_assert!(settled.is_ok(), "a conditional ends once");
    }

    pub(super) fn add_definition(&self, definition: Definition) -> DefinitionId {
        DefinitionId::new(self.definitions.push(definition))
    }

    pub(super) fn add_macro(&self, one: Macro) -> MacroId {
        let id = self.macros.push(one);
        MacroId(u32::try_from(id).expect("fewer macros than tokens"))
    }

    pub(super) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.index()]
    }

    /// A conditional, if its `#endif` was met.
    pub(super) fn ended(&self, id: ConditionalId) -> Option<&Conditional> {
        self.conditionals[id.index()].get()
    }

    pub(super) fn conditional(&self, id: ConditionalId) -> &Conditional {
        self.conditionals[id.index()].get().expect("a walk that is done has settled its conditionals")
    }

    pub(super) fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }

    pub(super) fn macro_of(&self, id: MacroId) -> &Macro {
        &self.macros[id.0 as usize]
    }
}
