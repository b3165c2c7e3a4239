//! The namespaces of a unit, and which of them an unqualified name of a declaration is looked up in
//! ([basic.lookup.unqual], [namespace.udir]).
//!
//! In: the scopes of a unit and its using-directives. Out: [`Namespaces`]. It does not ask which of two declarations
//! comes first in the text, nor which hides the other: it errs towards more namespaces.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::cut::{DeclKind, Scope, ScopeId, TopDeclaration};

/// The namespaces of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::variance) struct Namespaces {
    /// That of each scope; a linkage block has the one around it.
    of_scope: Vec<Namespace>,
    list: Vec<NamespaceInfo>,
    by_name: FxHashMap<Symbol, Vec<Namespace>>,
    /// For each namespace alias the last names of the namespaces that it may stand for.
    aliases: FxHashMap<Symbol, Vec<Symbol>>,
    /// The namespaces that using-directives in each nominate.
    nominated: FxHashMap<Namespace, Vec<Namespace>>,
    /// Those with a using-enum-declaration, whose enumerators are not known here: any name may be found there.
    opaque: FxHashSet<Namespace>,
}

/// A namespace, whichever of its scopes: index into [`Namespaces::list`], 0 for the global one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::variance) struct Namespace(u32);

#[derive(Clone, PartialEq, Eq, Debug)]
struct NamespaceInfo {
    parent: Option<Namespace>,
    name: Option<Symbol>,
    /// Its members are found in the namespace around it too: it is inline or has no name.
    transparent: bool,
}

/// The namespaces that a declaration's unqualified names are looked up in.
#[derive(Clone, Debug)]
pub(in crate::variance) enum LookupScope {
    /// That of its own scope, and those around it.
    Own(Namespace),
    /// These too, which using-directives in the declaration nominate.
    With(Namespace, Vec<Namespace>),
    /// Any: a class may be looked into, which is not followed here.
    Anywhere,
}

impl Namespaces {
    pub(in crate::variance) fn new(
        tokens: &[PpToken],
        declarations: &[TopDeclaration],
        scopes: &[Scope],
    ) -> Namespaces {
        let mut namespaces = Namespaces::default();
        namespaces.add_scopes(scopes);
        namespaces.add_using(tokens, declarations);
        namespaces
    }

    /// Makes one namespace of all scopes that open it.
    fn add_scopes(&mut self, scopes: &[Scope]) {
        let mut known: FxHashMap<(Namespace, Option<Symbol>), Namespace> = FxHashMap::default();
        for scope in scopes {
            let parent = scope.parent.map(|parent| self.of_scope[parent.0 as usize]);
            let namespace = match parent {
                Some(around) if scope.name.is_none() && !scope.unnamed => around,
                Some(around) => *known.entry((around, scope.name)).or_insert_with(|| {
                    let own = Namespace(self.list.len() as u32);
                    let parent = Some(around);
                    self.list.push(NamespaceInfo { parent, name: scope.name, transparent: scope.unnamed });
                    own
                }),
                None => {
                    self.list.push(NamespaceInfo { parent: None, name: None, transparent: false });
                    Namespace(0)
                }
            };
            // It stays inline where it is opened again without the word ([namespace.def]).
            self.list[namespace.0 as usize].transparent |= scope.inline;
            self.of_scope.push(namespace);
        }
        for number in 0..self.list.len() {
            if let Some(name) = self.list[number].name {
                self.by_name.entry(name).or_default().push(Namespace(number as u32));
            }
        }
    }

    /// Notes namespace aliases, using-directives and using-enum-declarations at namespace scope.
    fn add_using(&mut self, tokens: &[PpToken], declarations: &[TopDeclaration]) {
        let may_tell = |one: &&TopDeclaration| matches!(one.kind, DeclKind::Alias | DeclKind::Using);
        let found: Vec<&TopDeclaration> = declarations.iter().filter(may_tell).collect();
        for declaration in found.iter().filter(|one| tokens[one.tokens.start].text == sym::NAMESPACE) {
            let last = last_name(&tokens[declaration.tokens.clone()]);
            for alias in &declaration.names {
                self.aliases.entry(*alias).or_default().extend(last);
            }
        }
        for declaration in found.iter().filter(|one| one.kind == DeclKind::Using) {
            let (own, at) = (&tokens[declaration.tokens.clone()], self.of(declaration.scope));
            match own.get(1).map(|token| token.text) {
                Some(sym::NAMESPACE) => {
                    let targets = last_name(own).map_or(Vec::new(), |name| self.named(name));
                    self.nominated.entry(at).or_default().extend(targets);
                }
                Some(sym::ENUM) => drop(self.opaque.insert(at)),
                _ => {}
            }
        }
    }

    /// The namespace of a scope; of an inline or unnamed one, the namespace around it.
    pub(in crate::variance) fn of(&self, scope: ScopeId) -> Namespace {
        self.around(self.of_scope.get(scope.0 as usize).copied().unwrap_or(Namespace(0)))
    }

    fn around(&self, mut namespace: Namespace) -> Namespace {
        while let Some(NamespaceInfo { parent: Some(around), transparent: true, .. }) =
            self.list.get(namespace.0 as usize)
        {
            namespace = *around;
        }
        namespace
    }

    /// Whether there is not even the global one: those of no unit.
    pub(in crate::variance) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The name is a namespace's or stands for one.
    pub(in crate::variance) fn is_namespace(&self, name: Symbol) -> bool {
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

    /// The namespaces that the unqualified names of a declaration are looked up in.
    pub(in crate::variance) fn lookup_scope(
        &self,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
    ) -> LookupScope {
        let LookupScope::Own(own) = self.scope_around(declaration) else { return LookupScope::Anywhere };
        let inside = &tokens[declaration.tokens.clone()];
        let mut targets = Vec::new();
        for (at, pair) in inside.windows(2).enumerate().filter(|(_, pair)| pair[0].text == sym::USING) {
            match pair[1].text {
                sym::ENUM => return LookupScope::Anywhere,
                sym::NAMESPACE if declaration.kind != DeclKind::Using => {
                    let rest = &inside[at..];
                    let end = rest.iter().position(|token| token.text == sym::SEMI).unwrap_or(rest.len());
                    targets.extend(last_name(&rest[..end]).into_iter().flat_map(|name| self.named(name)));
                }
                _ => {}
            }
        }
        if targets.is_empty() { LookupScope::Own(own) } else { LookupScope::With(own, targets) }
    }

    /// The same of a declaration that opens no other namespace ([`opens_a_scope`]).
    pub(in crate::variance) fn scope_around(&self, declaration: &TopDeclaration) -> LookupScope {
        // A member that stands outside its class means what the class's names mean.
        match declaration.names.len() > declaration.declared {
            true => LookupScope::Anywhere,
            false => LookupScope::Own(self.of(declaration.scope)),
        }
    }

    /// An unqualified name in a declaration may be one of this namespace.
    pub(in crate::variance) fn reaches(&self, scope: &LookupScope, home: Namespace) -> bool {
        let mut todo = match scope {
            LookupScope::Anywhere => return true,
            LookupScope::Own(own) => vec![*own],
            LookupScope::With(own, targets) => [&[*own], targets.as_slice()].concat(),
        };
        let mut around = todo[0];
        while let Some(parent) = self.list.get(around.0 as usize).and_then(|info| info.parent) {
            todo.push(parent);
            around = parent;
        }
        self.reach(todo, home)
    }

    /// A name qualified by `qualifier::`, or by `::` alone for `None`, may be one of this namespace.
    pub(in crate::variance) fn qualifies(&self, qualifier: Option<Symbol>, home: Namespace) -> bool {
        match qualifier {
            None => self.reach(vec![Namespace(0)], home),
            Some(name) => self.reach(self.named(name), home),
        }
    }

    /// The same, of a name in a declaration with this lookup scope, where the qualifier is one name: it is that of a namespace
    /// that is found there, or of an alias.
    pub(in crate::variance) fn qualifies_alone(
        &self,
        scope: &LookupScope,
        qualifier: Symbol,
        home: Namespace,
    ) -> bool {
        let is_found = |namespace: &Namespace| {
            let parent = self.list[namespace.0 as usize].parent;
            parent.is_none_or(|parent| self.reaches(scope, self.around(parent)))
        };
        let own = self.by_name.get(&qualifier).into_iter().flatten().copied().filter(is_found);
        let of_aliases = self.aliases.get(&qualifier).into_iter().flatten();
        let named = own.map(|one| self.around(one)).chain(of_aliases.flat_map(|name| self.named(*name)));
        self.reach(named.collect(), home)
    }

    /// One of some namespaces is this one, or nominates it.
    fn reach(&self, mut todo: Vec<Namespace>, home: Namespace) -> bool {
        let mut next = 0;
        while let Some(namespace) = todo.get(next).copied() {
            if namespace == home || self.opaque.contains(&namespace) {
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

/// Whether one of some tokens may begin a directive or declaration by which unqualified names behind it mean more.
pub(in crate::variance) fn opens_a_scope(tokens: &[PpToken]) -> bool {
    let opens =
        |pair: &[PpToken]| pair[0].text == sym::USING && matches!(pair[1].text, sym::ENUM | sym::NAMESPACE);
    tokens.windows(2).any(opens)
}

/// The last name among some tokens.
fn last_name(tokens: &[PpToken]) -> Option<Symbol> {
    let mut words = tokens.iter().rev().filter(|token| token.kind == TokenKind::Identifier);
    words.next().map(|token| token.text)
}
