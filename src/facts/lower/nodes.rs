//! The state of lowering one parsed declaration: its tree, and the parts that were lowered before.
//!
//! In: a [`Parsed`] declaration. Out: the nodes' children, texts and symbols. Knows nothing of the grammar.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::source::Symbol;
use crate::syntax::Parsed;

use super::ast::*;
use super::uses::Uses;

/// How much of function bodies is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Detail {
    /// The local declarations, the names used and the calls.
    Mentions,
    /// Also operator expressions, casts, assignments and returned names: see [`Item::Expression`].
    Operators,
}

/// Lowers the nodes of one parsed declaration; the other files of this room add a part of the grammar each.
pub(super) struct Lower<'p> {
    pub(super) parsed: &'p Parsed,
    uses: OnceCell<Uses>,
    /// The arguments of the calls lowered so far, by the call's node id.
    pub(super) calls: RefCell<FxHashMap<usize, Arc<[Expr]>>>,
    /// The lambda-expressions lowered so far, by node id.
    pub(super) closures: RefCell<FxHashMap<usize, Arc<Closure>>>,
    pub(super) detail: Detail,
    /// Whether [`Item::Expression`] and [`Item::Returned`] are recorded for the body at hand: it may run on
    /// the host, where an operator function may launch a kernel.
    pub(super) records_operators: Cell<bool>,
    /// Whether [`Item::Shared`] is recorded for the body at hand: it is that of a function for both sides.
    pub(super) is_shared: Cell<bool>,
    /// Whether [`Item::Returned`] is recorded all the same: the function at hand returns an object of a named type, which
    /// a constructor may make.
    pub(super) records_returns: Cell<bool>,
}

/// The name of a class's function call operator.
pub(in crate::facts) const CALL_OPERATOR: &str = "operator()";

/// The invented template whose specializations stand for pointers to members: of the class and of the member's type.
pub(in crate::facts) const POINTER_TO_MEMBER: &str = "pointer-to-member";

/// The operator of `(a)` as the operand of `decltype`, which then gives the value category of `a` too.
pub(in crate::facts) const PARENTHESES: &str = "()";

/// The operator of the operand of GNU's `typeof`, which gives the type of a prvalue.
pub(in crate::facts) const TYPEOF: &str = "typeof";

/// The scope that a declaration stands in, which decides how a declarator without a name is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Namespace,
    Class,
    Body,
}

/// The named children of a node, without comments.
pub(super) fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

/// All children of a node, punctuators included.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

impl<'p> Lower<'p> {
    pub(super) fn new(parsed: &'p Parsed, detail: Detail) -> Lower<'p> {
        Lower {
            parsed,
            uses: OnceCell::new(),
            detail,
            calls: RefCell::default(),
            closures: RefCell::default(),
            records_operators: Cell::new(false),
            is_shared: Cell::new(false),
            records_returns: Cell::new(false),
        }
    }
}

impl Lower<'_> {
    /// What lowering looks for in bodies.
    pub(super) fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| Uses::of(self.parsed))
    }

    /// Leaves all subtrees of statements and expressions out, as if they used no name.
    pub(super) fn without_uses(self) -> Self {
        Lower { uses: OnceCell::from(Uses::default()), ..self }
    }

    /// The source text of a node.
    pub(super) fn text(&self, node: Node<'_>) -> &str {
        self.parsed.text_of(node)
    }

    /// The source text of a node, interned.
    pub(super) fn symbol(&self, node: Node<'_>) -> Symbol {
        Symbol::intern(self.text(node))
    }
}

/// A spelling in which each run of white space is one blank.
pub(in crate::facts) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
