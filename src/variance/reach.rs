//! Whether a name that stands somewhere may denote what some declaration declares, told by namespaces alone.
//!
//! In: the outcome of the stage. Out: [`NameLookup`], which later stages ask. It errs towards yes.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};

use super::cut::ScopeId;
use super::names::{Home, LookupScope, Namespaces};
use super::result::Variance;

/// Name lookup in the namespaces of one unit, with its answers kept.
pub struct NameLookup<'v> {
    tokens: &'v [PpToken],
    variance: &'v Variance,
    /// The number of declarations that lookup finds.
    end: usize,
    /// Those of a unit in which nothing varies, and of a part of one.
    namespaces: OnceCell<Namespaces>,
    homes: RefCell<FxHashMap<usize, Home>>,
    reached: RefCell<FxHashMap<(ScopeId, Home), bool>>,
    qualified: RefCell<FxHashMap<Qualified, bool>>,
}

/// A qualified name: the scope of the declaration that has it, the first and the last name of its qualifier, and the home of
/// what it may denote.
type Qualified = (ScopeId, [Symbol; 2], Home);

impl<'v> NameLookup<'v> {
    /// Of a unit with these tokens.
    pub fn new(tokens: &'v [PpToken], variance: &'v Variance) -> NameLookup<'v> {
        NameLookup::up_to(tokens, variance, variance.declarations.len())
    }

    /// The same as if the unit ended before declaration `end`.
    pub fn up_to(tokens: &'v [PpToken], variance: &'v Variance, end: usize) -> NameLookup<'v> {
        let (namespaces, homes, reached, qualified) = Default::default();
        NameLookup { tokens, variance, end, namespaces, homes, reached, qualified }
    }

    /// The same unit as if it ended before declaration `end`.
    pub fn cut_short(&self, end: usize) -> NameLookup<'v> {
        NameLookup::up_to(self.tokens, self.variance, end)
    }

    fn namespaces(&self) -> &Namespaces {
        let Variance { declarations, scopes, varying, .. } = self.variance;
        if self.end == declarations.len() && !varying.namespaces.is_empty() {
            return &varying.namespaces;
        }
        self.namespaces.get_or_init(|| {
            let declarations = &declarations[..self.end];
            let last = declarations.iter().map(|one| one.scope.0 as usize + 1).max().unwrap_or(1);
            Namespaces::new(self.tokens, declarations, &scopes[..last])
        })
    }

    /// The tokens of a declaration.
    pub fn tokens(&self, top: usize) -> &'v [PpToken] {
        &self.tokens[self.variance.declarations[top].tokens.clone()]
    }

    /// The name of the outermost namespace around a declaration; empty in the global one and in unnamed ones of it.
    pub fn outermost_namespace(&self, top: usize) -> Symbol {
        let Variance { declarations, scopes, .. } = self.variance;
        let outward =
            std::iter::successors(Some(declarations[top].scope), |scope| scopes[scope.0 as usize].parent);
        outward.filter_map(|scope| scopes[scope.0 as usize].name).last().unwrap_or(sym::EMPTY)
    }

    /// Where the names of a declaration are at home.
    pub fn home(&self, top: usize) -> Home {
        let Variance { declarations, scopes, .. } = self.variance;
        let find = || Home::of(self.namespaces(), self.tokens, &declarations[top], scopes);
        *self.homes.borrow_mut().entry(top).or_insert_with(find)
    }

    /// Whether a name is that of a namespace, or of an alias of one at namespace scope.
    pub fn is_namespace(&self, name: Symbol) -> bool {
        self.namespaces().is_namespace(name)
    }

    /// Whether an unqualified name in a declaration of a scope may be one with this home, but for what its arguments' types
    /// make visible ([basic.lookup.unqual]).
    pub fn reaches(&self, scope: ScopeId, home: Home) -> bool {
        let namespaces = self.namespaces();
        let Some(namespace) = home.namespace else { return true };
        let find = || namespaces.reaches(&LookupScope::Own(namespaces.of(scope)), namespace);
        *self.reached.borrow_mut().entry((scope, home)).or_insert_with(find)
    }

    /// Whether a name behind `first::…::last::` in a declaration of a scope may be one with this home, behind `::` alone where
    /// both are empty ([namespace.qual]).
    pub fn qualifies(&self, scope: ScopeId, [first, last]: [Symbol; 2], home: Home) -> bool {
        let namespaces = self.namespaces();
        let is_named = last != sym::EMPTY;
        if is_named && !namespaces.is_namespace(last) {
            return false;
        }
        let Some(namespace) = home.namespace else { return true };
        let find = || match first == last && is_named {
            true => namespaces.qualifies_alone(&LookupScope::Own(namespaces.of(scope)), last, namespace),
            false => namespaces.qualifies(is_named.then_some(last), namespace),
        };
        *self.qualified.borrow_mut().entry((scope, [first, last], home)).or_insert_with(find)
    }
}
