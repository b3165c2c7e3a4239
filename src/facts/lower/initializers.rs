//! Initializers of variables and members ([dcl.init]).

use tree_sitter::Node;

use super::ast::*;
use super::nodes::{Lower, named_children};

impl Lower<'_> {
    /// The initializer of a variable or a member, whether written `(e)`, `{e}` or `= e`.
    pub(in crate::facts) fn initializer(&self, value: Node<'_>) -> Expr {
        match value.kind() {
            "argument_list" => match named_children(value).as_slice() {
                [only] => self.expr(*only),
                all => Expr::List(all.iter().map(|one| self.expr(*one)).collect()),
            },
            _ => self.expr(value),
        }
    }
}

/// How an initializer initializes.
pub(super) fn initialization(value: Node<'_>) -> Initialization {
    let follows_equals = || value.prev_sibling().is_some_and(|before| before.kind() == "=");
    match value.kind() {
        "argument_list" => Initialization::Direct,
        "initializer_list" if !follows_equals() => Initialization::List,
        _ => Initialization::Copy,
    }
}
