//! The worklist of the fixpoint: which names a varying declaration makes varying.

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::cut::{Cut, DeclKind, Scope, TopDeclaration, word};
use crate::variance::names::{Home, VaryingNames};

/// The names found to vary so far, and those of them whose mentions are still to be followed.
pub(super) struct Worklist {
    pub(super) varying: VaryingNames,
    /// The names whose mentions were not followed yet.
    pub(super) fresh: Vec<(Symbol, Home)>,
}

impl Worklist {
    /// Makes the names of a declaration varying. A member that is defined outside its class makes the class's name
    /// varying: code that uses the member mentions the class.
    pub(super) fn give(&mut self, tokens: &[PpToken], declaration: &TopDeclaration, scopes: &[Scope]) {
        let (declared, qualifiers) = declaration.names.split_at(declaration.declared);
        let home = Home::of(&self.varying.namespaces, tokens, declaration, scopes);
        let namespaces = &self.varying.namespaces;
        match qualifiers.iter().take_while(|name| !namespaces.is_namespace(**name)).last() {
            Some(class) => self.add(*class, home),
            None => declared.iter().for_each(|name| self.add(*name, home)),
        }
    }

    /// Makes those names of a nominated namespace varying that other scopes declare too: with a using-directive that
    /// varies, passes may find different declarations. Any other name can't be found without the directive, which is
    /// an error in every compiler.
    pub(super) fn give_nominated(&mut self, tokens: &[PpToken], namespace: Symbol, cut: &Cut) {
        let inside = |declaration: &TopDeclaration| {
            let scope = &cut.scopes[declaration.scope.0 as usize];
            scope.name == Some(namespace)
        };
        let (own, others): (Vec<_>, Vec<_>) = cut.declarations.iter().partition(|one| inside(one));
        let others: FxHashSet<Symbol> = others.iter().flat_map(|one| one.names.iter().copied()).collect();
        for one in own {
            let home = Home::of(&self.varying.namespaces, tokens, one, &cut.scopes);
            for name in one.names[..one.declared].iter().filter(|name| others.contains(name)) {
                self.add(*name, home);
            }
        }
    }

    /// All names that vary so far.
    pub(super) fn known(&self) -> Vec<(Symbol, Home)> {
        let homes = self.varying.homes.iter();
        homes.flat_map(|(name, homes)| homes.iter().map(|home| (*name, *home))).collect()
    }

    fn add(&mut self, name: Symbol, home: Home) {
        if word(name).is_none() && self.varying.add(name, home) {
            self.fresh.push((name, home));
        }
    }
}

/// The last name of the namespace that a using-directive nominates; `None` for any other declaration.
pub(super) fn nominated(tokens: &[PpToken], declaration: &TopDeclaration) -> Option<Symbol> {
    let own = &tokens[declaration.tokens.clone()];
    let directive = declaration.kind == DeclKind::Using && own.get(1)?.text == sym::NAMESPACE;
    let mut words = own.iter().rev().filter(|token| token.kind == TokenKind::Identifier);
    directive.then(|| words.next().map(|token| token.text)).flatten()
}
