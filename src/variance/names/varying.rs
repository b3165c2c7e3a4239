//! The names whose meaning may differ between passes.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::preprocess::PpToken;
use crate::source::Symbol;
use crate::variance::cut::TopDeclaration;

use super::locals::locals;
use super::lookup::{Home, may_mean};
use super::mention::{Mention, each_mention};
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
        let mut scope = None;
        let mut found = false;
        each_mention(tokens, declaration, &locals(tokens, declaration), |index, mention| {
            if found || !part.contains(&index) {
                return;
            }
            let Some(homes) = self.homes.get(&tokens[index].text) else { return };
            let scope = scope.get_or_insert_with(|| self.namespaces.lookup_scope(tokens, declaration));
            found = homes.iter().any(|home| may_mean(&self.namespaces, mention, scope, *home));
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
