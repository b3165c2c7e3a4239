//! Where a name of a namespace can be meant.
//!
//! In: the scopes of a unit and its using-directives. Out: [`Scoping`], which namespaces unqualified names in a
//! declaration are looked up in ([basic.lookup.unqual], [namespace.udir]). Which comes first in the text, and which of
//! two hides the other, is not asked: it errs towards more namespaces.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::declarations::{DeclKind, Scope, ScopeId, TopDeclaration};

/// A namespace, whichever of its scopes: index into [`Scoping::namespaces`], 0 for the global one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Namespace(u32);

/// The namespaces of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Scoping {
    /// That of each scope; a linkage block has the one around it.
    of_scope: Vec<Namespace>,
    namespaces: Vec<Known>,
    by_name: FxHashMap<Symbol, Vec<Namespace>>,
    /// Namespace aliases, with what they stand for as far as its last name says.
    aliases: FxHashMap<Symbol, Vec<Symbol>>,
    /// The namespaces that using-directives in each nominate.
    nominated: FxHashMap<Namespace, Vec<Namespace>>,
    /// Those in which a declaration makes names of others known that are not told here.
    open: FxHashSet<Namespace>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    parent: Option<Namespace>,
    name: Option<Symbol>,
    /// What is in it is found in the one around it too: it is inline or has no name.
    transparent: bool,
}

/// The namespaces that a declaration's unqualified names are looked up in.
#[derive(Clone, Debug)]
pub(super) enum Looked {
    /// Those of its own scope.
    Own(Namespace),
    /// These too, nominated in it.
    With(Namespace, Vec<Namespace>),
    /// It is not told here.
    Anywhere,
}

impl Scoping {
    pub(super) fn new(tokens: &[PpToken], declarations: &[TopDeclaration], scopes: &[Scope]) -> Scoping {
        let mut scoping = Scoping::default();
        let mut known: FxHashMap<(Namespace, Option<Symbol>), Namespace> = FxHashMap::default();
        for scope in scopes {
            let parent = scope.parent.map(|parent| scoping.of_scope[parent.0 as usize]);
            let namespace = match parent {
                Some(around) if scope.name.is_none() && !scope.unnamed => around,
                Some(around) => *known.entry((around, scope.name)).or_insert_with(|| {
                    let own = Namespace(scoping.namespaces.len() as u32);
                    let one = Known { parent: Some(around), name: scope.name, transparent: scope.unnamed };
                    scoping.namespaces.push(one);
                    own
                }),
                None => {
                    scoping.namespaces.push(Known { parent: None, name: None, transparent: false });
                    Namespace(0)
                }
            };
            // It stays inline where it is opened again without the word ([namespace.def]).
            scoping.namespaces[namespace.0 as usize].transparent |= scope.inline;
            scoping.of_scope.push(namespace);
        }
        for number in 0..scoping.namespaces.len() {
            if let Some(name) = scoping.namespaces[number].name {
                scoping.by_name.entry(name).or_default().push(Namespace(number as u32));
            }
        }
        let ordinary = |one: &&TopDeclaration| matches!(one.kind, DeclKind::Alias | DeclKind::Using);
        let found: Vec<&TopDeclaration> = declarations.iter().filter(ordinary).collect();
        for declaration in found.iter().filter(|one| tokens[one.tokens.start].text == sym::NAMESPACE) {
            let last = last_name(&tokens[declaration.tokens.clone()]);
            for alias in &declaration.names {
                scoping.aliases.entry(*alias).or_default().extend(last);
            }
        }
        for declaration in found.iter().filter(|one| one.kind == DeclKind::Using) {
            let (own, at) = (&tokens[declaration.tokens.clone()], scoping.of(declaration.scope));
            match own.get(1).map(|token| token.text) {
                Some(sym::NAMESPACE) => {
                    let targets = last_name(own).map_or(Vec::new(), |name| scoping.named(name));
                    scoping.nominated.entry(at).or_default().extend(targets);
                }
                Some(sym::ENUM) => drop(scoping.open.insert(at)),
                _ => {}
            }
        }
        scoping
    }

    /// The namespace of a scope, of which inline and unnamed ones belong to the one around them.
    pub(super) fn of(&self, scope: ScopeId) -> Namespace {
        self.around(self.of_scope.get(scope.0 as usize).copied().unwrap_or(Namespace(0)))
    }

    fn around(&self, mut namespace: Namespace) -> Namespace {
        while let Some(Known { parent: Some(around), transparent: true, .. }) =
            self.namespaces.get(namespace.0 as usize)
        {
            namespace = *around;
        }
        namespace
    }

    /// The name is a namespace's or stands for one.
    pub(super) fn is_namespace(&self, name: Symbol) -> bool {
        self.by_name.contains_key(&name) || self.aliases.contains_key(&name)
    }

    /// The namespaces that a name may be the last one of.
    fn named(&self, name: Symbol) -> Vec<Namespace> {
        let (mut found, mut seen, mut todo) = (Vec::new(), Vec::new(), vec![name]);
        while let Some(name) = todo.pop() {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            found.extend(self.by_name.get(&name).into_iter().flatten());
            todo.extend(self.aliases.get(&name).into_iter().flatten());
        }
        found.into_iter().map(|namespace| self.around(namespace)).collect()
    }

    /// Where the unqualified names of a declaration are looked up.
    pub(super) fn looked(&self, tokens: &[PpToken], declaration: &TopDeclaration) -> Looked {
        // A member that stands outside its class means what the class's names mean.
        if declaration.names.len() > declaration.declared {
            return Looked::Anywhere;
        }
        let own = self.of(declaration.scope);
        let inside = &tokens[declaration.tokens.clone()];
        let mut targets = Vec::new();
        for (at, pair) in inside.windows(2).enumerate().filter(|(_, pair)| pair[0].text == sym::USING) {
            match pair[1].text {
                sym::ENUM => return Looked::Anywhere,
                sym::NAMESPACE if declaration.kind != DeclKind::Using => {
                    let rest = &inside[at..];
                    let end = rest.iter().position(|token| token.text == sym::SEMI).unwrap_or(rest.len());
                    targets.extend(last_name(&rest[..end]).into_iter().flat_map(|name| self.named(name)));
                }
                _ => {}
            }
        }
        if targets.is_empty() { Looked::Own(own) } else { Looked::With(own, targets) }
    }

    /// An unqualified name in a declaration may be one of this namespace.
    pub(super) fn reaches(&self, looked: &Looked, home: Namespace) -> bool {
        let mut todo = match looked {
            Looked::Anywhere => return true,
            Looked::Own(own) => vec![*own],
            Looked::With(own, targets) => [&[*own], targets.as_slice()].concat(),
        };
        let mut around = todo[0];
        while let Some(parent) = self.namespaces.get(around.0 as usize).and_then(|known| known.parent) {
            todo.push(parent);
            around = parent;
        }
        self.leads(todo, home)
    }

    /// A name behind this and `::` may be one of the namespace. `None` is the global one.
    pub(super) fn qualifies(&self, qualifier: Option<Symbol>, home: Namespace) -> bool {
        match qualifier {
            None => self.leads(vec![Namespace(0)], home),
            Some(name) => self.leads(self.named(name), home),
        }
    }

    /// One of some namespaces is this one, or nominates it.
    fn leads(&self, mut todo: Vec<Namespace>, home: Namespace) -> bool {
        let mut next = 0;
        while let Some(namespace) = todo.get(next).copied() {
            if namespace == home || self.open.contains(&namespace) {
                return true;
            }
            next += 1;
            for target in self.nominated.get(&namespace).into_iter().flatten() {
                if !todo.contains(target) {
                    todo.push(*target);
                }
            }
        }
        false
    }
}

/// The last name among some tokens.
fn last_name(tokens: &[PpToken]) -> Option<Symbol> {
    let mut words = tokens.iter().rev().filter(|token| token.kind == TokenKind::Identifier);
    words.next().map(|token| token.text)
}
