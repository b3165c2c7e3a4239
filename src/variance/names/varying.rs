//! The names whose meaning may differ between passes.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind};
use crate::variance::cut::{TopDeclaration, word};

use super::locals::locals;
use super::lookup::{Home, may_mean};
use super::mention::{Mention, mention};
use super::namespaces::Namespaces;

/// The names whose meaning may differ between passes, each with the namespaces where it does.
#[derive(Clone, Debug, Default)]
pub struct VaryingNames {
    pub(in crate::variance) homes: FxHashMap<Symbol, SmallVec<[Home; 1]>>,
    pub(in crate::variance) namespaces: Namespaces,
}

impl VaryingNames {
    /// The names, in no order.
    pub fn names(&self) -> impl Iterator<Item = Symbol> {
        self.homes.keys().copied()
    }

    /// Whether a name varies in some namespace.
    pub fn has(&self, name: Symbol) -> bool {
        self.homes.contains_key(&name)
    }

    /// Whether a part of a declaration mentions a name that varies where the declaration looks for it. `part` lies
    /// in the declaration's own range of `tokens`.
    pub fn is_mentioned(&self, tokens: &[PpToken], declaration: &TopDeclaration, part: Range<usize>) -> bool {
        !self.mentions(tokens, declaration, part).is_empty()
    }

    /// The indices of the tokens in a part of a declaration that mention such names, ascending.
    pub fn mentions(
        &self,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        part: Range<usize>,
    ) -> Vec<usize> {
        let varying = |index: &usize| {
            let token = &tokens[*index];
            token.kind == TokenKind::Identifier
                && token.passes.meets(declaration.passes)
                && self.homes.contains_key(&token.text)
                && word(token.text).is_none()
        };
        let mut found: Vec<usize> = part.filter(varying).collect();
        if found.is_empty() {
            // A question about each call of a long function must not read the function each time.
            return found;
        }
        let locals = locals(tokens, declaration);
        let scope = self.namespaces.lookup_scope(tokens, declaration);
        let may_vary = |kind: Mention, name: Symbol| {
            self.homes[&name].iter().any(|home| may_mean(&self.namespaces, kind, &scope, *home))
        };
        found.retain(|index| {
            locals.binary_search(index).is_err()
                && mention(tokens, *index).is_some_and(|kind| may_vary(kind, tokens[*index].text))
        });
        found
    }

    /// Whether a declaration declares a name that varies in its namespace.
    pub fn is_declared(&self, tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
        let homes = declaration.names.iter().filter_map(|name| self.homes.get(name)).flatten();
        let homes: Vec<Home> = homes.copied().collect();
        let scope = (!homes.is_empty()).then(|| self.namespaces.lookup_scope(tokens, declaration));
        scope.is_some_and(|scope| {
            homes.iter().any(|home| may_mean(&self.namespaces, Mention::Own, &scope, *home))
        })
    }

    /// Notes that a name varies there; `false` if that was known.
    pub(in crate::variance) fn add(&mut self, name: Symbol, home: Home) -> bool {
        let homes = self.homes.entry(name).or_default();
        let known = homes.contains(&home);
        if !known {
            homes.push(home);
        }
        !known
    }
}
