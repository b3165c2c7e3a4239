//! The tree of one parsed declaration while it is lowered: its nodes, their texts, what was lowered of them before.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::source::Symbol;
use crate::syntax::Parsed;

use super::ast::*;

/// How much of bodies is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Detail {
    /// What they declare, name and call.
    Mentions,
    /// Also the operators, which may be overloaded, and what gives the names of functions a type.
    Operators,
}

pub(super) struct Lower<'p> {
    pub(super) parsed: &'p Parsed,
    /// Where candidate uses begin; what holds none is not descended into.
    pub(super) uses: Vec<usize>,
    /// The arguments of the calls met so far.
    pub(super) calls: RefCell<FxHashMap<usize, Arc<[Expr]>>>,
    /// The lambda expressions met so far.
    pub(super) closures: RefCell<FxHashMap<usize, Arc<Closure>>>,
    pub(super) detail: Detail,
    /// The operators of the body at hand are wanted: it may run on the host, where they may launch kernels.
    pub(super) expressions: Cell<bool>,
}

/// The name of a class's call operator.
pub(in crate::facts) const CALL_OPERATOR: &str = "operator()";

/// What encloses a declaration, which decides how a name without a type is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Namespace,
    Class,
    Body,
}

pub(super) fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

pub(super) fn field_children<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).collect()
}

impl<'p> Lower<'p> {
    pub(super) fn new(parsed: &'p Parsed, uses: Vec<usize>, detail: Detail) -> Lower<'p> {
        Lower {
            parsed,
            uses,
            detail,
            calls: RefCell::default(),
            closures: RefCell::default(),
            expressions: Cell::new(false),
        }
    }
}

impl Lower<'_> {
    pub(super) fn text(&self, node: Node<'_>) -> &str {
        self.parsed.text_of(node)
    }

    pub(super) fn symbol(&self, node: Node<'_>) -> Symbol {
        Symbol::intern(self.text(node))
    }
}

/// A spelling with its white space squeezed to single blanks.
pub(in crate::facts) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
