//! The macros of a run, each stored once for the directive and the passes that define it.
//!
//! A macro that all passes define alike is the same macro in every walk, so that equal numbers mean equal macros.

use std::sync::RwLock;

use rustc_hash::FxHashMap;

use crate::preprocess::result::store::{NO_PANIC, Store};
use crate::source::{FileId, Symbol};
use crate::target::PassSet;

use super::definition::{Macro, MacroId};

/// The macros of a run, by number and by the site that defines them; shared between threads.
#[derive(Default, Debug)]
pub(crate) struct MacroStore {
    pub(crate) all: Store<Macro>,
    /// Macros that are the same in whatever walk they are defined.
    pub(crate) by_site: RwLock<FxHashMap<DefinitionSite, MacroId>>,
}

/// Where and for which passes a macro is defined.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) enum DefinitionSite {
    /// The directive whose macro name has this offset.
    Written(FileId, u32, PassSet),
    /// Before the first line, with this value.
    Predefined(Symbol, String, PassSet),
    /// By the preprocessor itself.
    Builtin(Symbol, PassSet),
}

impl DefinitionSite {
    /// The file that it is in, if it is in one.
    pub(crate) fn in_file(&self) -> Option<FileId> {
        match self {
            DefinitionSite::Written(file, _, _) => Some(*file),
            DefinitionSite::Predefined(..) | DefinitionSite::Builtin(..) => None,
        }
    }

    /// The passes that have it.
    pub(crate) fn passes(&self) -> PassSet {
        match self {
            DefinitionSite::Written(_, _, passes)
            | DefinitionSite::Predefined(_, _, passes)
            | DefinitionSite::Builtin(_, passes) => *passes,
        }
    }
}

impl MacroStore {
    /// A macro.
    pub(crate) fn get(&self, id: MacroId) -> &Macro {
        self.all.get(id.number())
    }

    /// Adds a macro.
    pub(crate) fn add(&self, one: Macro) -> MacroId {
        let id = self.all.push(one);
        MacroId(u32::try_from(id).expect("fewer macros than tokens"))
    }

    /// The macro that a site defines, if some walk has reached it.
    pub(crate) fn at(&self, site: &DefinitionSite) -> Option<MacroId> {
        self.by_site.read().expect(NO_PANIC).get(site).copied()
    }

    /// The macro that a site defines: the one that another walk has added meanwhile, or else the one `make` adds.
    pub(crate) fn intern(&self, site: DefinitionSite, make: impl FnOnce() -> MacroId) -> MacroId {
        *self.by_site.write().expect(NO_PANIC).entry(site).or_insert_with(make)
    }
}
