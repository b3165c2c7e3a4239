//! The declarations of a block scope ([basic.scope.block]).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::facts::lower::ast::{Decl, DeclBody};
use crate::source::Symbol;

/// The declarations of a block up to the place that a walk has come to. A body whose brace is not closed may have those of
/// all headers behind it.
#[derive(Debug, Default)]
pub(in crate::facts) struct Block {
    declarations: Vec<Arc<Decl>>,
    /// By each name, the last declaration that introduces it as its own or as that of an unscoped enumerator; directives
    /// aside.
    last: FxHashMap<Symbol, usize>,
    /// The using-directives and using-enum-declarations, in order.
    directives: Vec<usize>,
}

impl Block {
    /// Adds a declaration behind the others.
    pub(in crate::facts) fn declare(&mut self, decl: Arc<Decl>) {
        let place = self.declarations.len();
        if is_directive(&decl) {
            self.directives.push(place);
        } else {
            self.last.insert(decl.name, place);
            if let DeclBody::Enum(one) = &decl.kind
                && !one.scoped
            {
                self.last.extend(one.enumerators.iter().map(|(enumerator, _)| (*enumerator, place)));
            }
        }
        self.declarations.push(decl);
    }

    /// All of them, in order.
    pub(in crate::facts) fn declarations(&self) -> &[Arc<Decl>] {
        &self.declarations
    }

    /// The last declaration that introduces a name.
    pub(in crate::facts) fn last_of(&self, name: Symbol) -> Option<&Arc<Decl>> {
        self.last.get(&name).map(|place| &self.declarations[*place])
    }

    /// The using-directives and using-enum-declarations, in order.
    pub(in crate::facts) fn directives(&self) -> impl DoubleEndedIterator<Item = &Arc<Decl>> {
        self.directives.iter().map(|place| &self.declarations[*place])
    }
}

/// Whether a declaration makes names of another scope visible, and introduces none.
fn is_directive(decl: &Decl) -> bool {
    matches!(decl.kind, DeclBody::UsingNamespace(_) | DeclBody::UsingEnum(_))
}
