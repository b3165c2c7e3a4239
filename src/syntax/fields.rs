//! The children of a node by the fields of the grammar.
//!
//! tree-sitter searches its list of names for each child that is asked for by name; here a name is looked up in a table.

use std::num::NonZeroU16;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use tree_sitter::{Language, Node};

/// The numbers of the grammar's fields, by name.
static NUMBERS: LazyLock<FxHashMap<&'static str, NonZeroU16>> = LazyLock::new(|| {
    let language: Language = tree_sitter_cpp::LANGUAGE.into();
    let all = (1..=language.field_count()).filter_map(|id| NonZeroU16::new(id as u16));
    all.filter_map(|id| Some((language.field_name_for_id(id.get())?, id))).collect()
});

/// The children of a node in a field of the grammar.
pub trait Fields<'t> {
    /// The first child in a field; `None` if there is none.
    fn field(&self, name: &str) -> Option<Node<'t>>;

    /// All children in a field.
    fn fields(&self, name: &str) -> Vec<Node<'t>>;
}

impl<'t> Fields<'t> for Node<'t> {
    fn field(&self, name: &str) -> Option<Node<'t>> {
        self.child_by_field_id(NUMBERS.get(name)?.get())
    }

    fn fields(&self, name: &str) -> Vec<Node<'t>> {
        let Some(id) = NUMBERS.get(name) else { return Vec::new() };
        self.children_by_field_id(*id, &mut self.walk()).collect()
    }
}
