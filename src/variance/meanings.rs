//! The names that a declaration can't mean, though it uses identifiers that are spelled like them.
//!
//! In: the outcome of the stage. Out: [`Meanings`], which later stages ask to leave out declarations that nothing refers
//! to.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind};

use super::cut::{ScopeId, TopDeclaration};
use super::names::{Home, LookupScope, Mention, declares_another, may_mean, mention};
use super::result::Variance;

/// Name lookup in the declarations of one unit, with its answers kept.
pub struct Meanings<'v> {
    tokens: &'v [PpToken],
    variance: &'v Variance,
    /// Whether a name that is not called may mean something in a scope.
    may_mean: FxHashMap<(ScopeId, Symbol), bool>,
}

impl<'v> Meanings<'v> {
    /// Of a unit with these tokens.
    pub fn new(tokens: &'v [PpToken], variance: &'v Variance) -> Meanings<'v> {
        Meanings { tokens, variance, may_mean: FxHashMap::default() }
    }

    /// The names that a declaration uses for something of its own or of another namespace wherever it does: what the
    /// declarations with numbers `declaring` declare by that name can't be meant. Members count as nothing of its own.
    /// Names without such a list are not asked about; all calls have to give the same list for a name. `locals` are
    /// those of the declaration ([`locals`]).
    pub fn other_names<'d>(
        &mut self,
        declaration: &TopDeclaration,
        locals: &[usize],
        declaring: impl Fn(Symbol) -> Option<&'d [usize]>,
    ) -> FxHashSet<Symbol> {
        let tokens = self.tokens;
        let namespaces = &self.variance.varying.namespaces;
        let looked = namespaces.lookup_scope(tokens, declaration);
        let (mut others, mut meant) = (FxHashSet::default(), FxHashSet::default());
        if matches!(looked, LookupScope::Anywhere) {
            return others;
        }
        for index in declaration.tokens.clone() {
            let token = &tokens[index];
            if token.kind != TokenKind::Identifier || locals.binary_search(&index).is_ok() {
                continue;
            }
            let Some(declaring) = declaring(token.text) else { continue };
            let may_mean = match mention(tokens, index) {
                // What is called may be a friend that its arguments' classes define.
                Some(Mention::Plain) => {
                    let find = || {
                        let homes = declaring.iter().map(|top| {
                            let declared = &self.variance.declarations[*top];
                            Home::of(namespaces, tokens, declared, &self.variance.scopes)
                        });
                        homes.into_iter().any(|home| may_mean(namespaces, Mention::Plain, &looked, home))
                    };
                    match looked {
                        LookupScope::Own(_) => {
                            *self.may_mean.entry((declaration.scope, token.text)).or_insert_with(find)
                        }
                        _ => find(),
                    }
                }
                Some(_) => true,
                None => !declares_another(tokens, index),
            };
            let list = if may_mean { &mut meant } else { &mut others };
            list.insert(token.text);
        }
        others.retain(|name| !meant.contains(name));
        others
    }
}
