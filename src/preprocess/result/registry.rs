//! The records that are numbered for the whole run: conditionals, their groups, and macro definitions.
//!
//! Threads add to it while others read; nothing changes once the walk that added it is done. That is why a header
//! read for one unit can stand in another as it is.

use std::sync::OnceLock;

use super::records::{Conditional, Definition, Group};
use super::store::Store;
use super::tokens::{ConditionalId, DefinitionId, GroupId};

/// Conditionals, groups and definitions, by number.
#[derive(Default, Debug)]
pub(crate) struct Registry {
    pub(crate) groups: Store<Group>,
    /// Each is set when its `#endif` is reached.
    pub(crate) conditionals: Store<OnceLock<Conditional>>,
    pub(crate) definitions: Store<Definition>,
}

impl Registry {
    /// Adds a group.
    pub(crate) fn add_group(&self, group: Group) -> GroupId {
        GroupId::new(self.groups.push(group))
    }

    /// Adds a conditional whose `#endif` is not reached yet.
    pub(crate) fn open_conditional(&self) -> ConditionalId {
        ConditionalId::new(self.conditionals.push(OnceLock::new()))
    }

    /// Sets a conditional whose end is reached.
    pub(crate) fn close_conditional(&self, id: ConditionalId, conditional: Conditional) {
        let closed = self.conditionals.get(id.index()).set(conditional);
        debug_assert!(closed.is_ok(), "a conditional ends once");
    }

    /// Adds a definition.
    pub(crate) fn add_definition(&self, definition: Definition) -> DefinitionId {
        DefinitionId::new(self.definitions.push(definition))
    }

    /// A group.
    pub(crate) fn group(&self, id: GroupId) -> &Group {
        self.groups.get(id.index())
    }

    /// A conditional, if its end was reached.
    pub(crate) fn closed_conditional(&self, id: ConditionalId) -> Option<&Conditional> {
        self.conditionals.get(id.index()).get()
    }

    /// A conditional of a walk that is done.
    pub(crate) fn conditional(&self, id: ConditionalId) -> &Conditional {
        self.closed_conditional(id).expect("a walk that is done has closed its conditionals")
    }

    /// A definition.
    pub(crate) fn definition(&self, id: DefinitionId) -> &Definition {
        self.definitions.get(id.index())
    }
}
