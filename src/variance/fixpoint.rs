//! From tokens that vary to declarations that vary to names that vary, until nothing changes.
//!
//! A declaration that varies makes the names it declares varying; one that mentions a varying name
//! varies too. Two things keep the result small. What only varies in a hidden part (the body of an
//! ordinary function, [`super::hidden`]) leaves the names as they are. And an identifier that can't
//! mean a name of namespace scope (`x.name`, `Class::name`, `int name`), or not one of that namespace
//! ([`super::scoping`]), is no mention of one.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::cut::Cut;
use super::declarations::{DeclKind, Scope, TopDeclaration};
use super::hidden::hidden;
use super::locals::locals;
use super::mentions::{Home, Mention, Varying, each, is_of};
use super::scoping::{Looked, Scoping};
use super::words::{is_specifier, word};

/// Fills in `varies` of all declarations; the varying names.
pub(super) fn spread(tokens: &[PpToken], cut: &mut Cut, all: PassSet) -> Varying {
    let partial: Vec<usize> =
        (0..tokens.len()).filter(|index| !tokens[*index].passes.contains(all)).collect();
    let mut names = Names::default();
    if partial.is_empty() && !cut.declarations.iter().any(|declaration| declaration.varies.sizes) {
        return names.varying;
    }
    let hidden: Vec<Vec<Range<usize>>> =
        cut.declarations.iter().map(|declaration| hidden(tokens, declaration)).collect();
    names.varying.scoping = Scoping::new(tokens, &cut.declarations, &cut.scopes);
    let mut visible = Vec::with_capacity(hidden.len());
    for (declaration, hidden) in cut.declarations.iter_mut().zip(&hidden) {
        visible.push(mark_own(tokens, &partial, declaration, hidden));
    }
    mark_presence(tokens, &mut cut.declarations, all);
    for (declaration, visible) in cut.declarations.iter().zip(visible) {
        if visible || declaration.varies.presence || declaration.varies.sizes {
            names.give(tokens, declaration, &cut.scopes);
            if let Some(namespace) = nominated(tokens, declaration) {
                names.give_nominated(tokens, namespace, cut);
            }
        }
    }
    if names.fresh.is_empty() {
        return names.varying;
    }
    let mentions = Mentions::of(tokens, &cut.declarations, &hidden, &names.varying.scoping);
    let mut known: Vec<Option<Known>> = Vec::new();
    known.resize_with(cut.declarations.len(), || None);
    while let Some((name, home)) = names.fresh.pop() {
        for entry in mentions.of_name(name) {
            let index = entry.declaration as usize;
            let declaration = &mut cut.declarations[index];
            let scoping = &names.varying.scoping;
            let known = known[index].get_or_insert_with(|| Known::of(scoping.looked(tokens, declaration)));
            if known.given && declaration.varies.names || !is_of(scoping, entry.mention, &known.looked, home)
            {
                continue;
            }
            let Some(visible) = known.visible(tokens, declaration, &hidden[index], scoping, name, &entry)
            else {
                continue;
            };
            let own = declaration.names[..declaration.declared].contains(&name);
            declaration.varies.names |= !(own && declaration.varies.any());
            if visible {
                known.given = true;
                names.give(tokens, declaration, &cut.scopes);
            }
        }
    }
    names.varying
}

/// What is known of a declaration that mentions names that vary.
struct Known {
    looked: Looked,
    /// Its own names vary with it.
    given: bool,
    /// The identifiers in it that mean local variables. Few declarations are asked.
    locals: Option<Vec<usize>>,
}

impl Known {
    fn of(looked: Looked) -> Known {
        Known { looked, given: false, locals: None }
    }

    /// Whether some mention of a name is outside the hidden parts; `None` if all of them mean local variables.
    fn visible(
        &mut self,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        hidden: &[Range<usize>],
        scoping: &Scoping,
        name: Symbol,
        entry: &Entry,
    ) -> Option<bool> {
        if !matches!(entry.mention, Mention::Plain | Mention::Called) {
            return Some(entry.visible);
        }
        let locals = self.locals.get_or_insert_with(|| locals(tokens, declaration));
        if !locals.iter().any(|index| tokens[*index].text == name) {
            return Some(entry.visible);
        }
        let mut visible = None;
        each(tokens, declaration, locals, scoping, |index, mention| {
            if tokens[index].text == name && mention == entry.mention {
                visible = Some(visible == Some(true) || !is_hidden(hidden, index));
            }
        });
        visible
    }
}

/// Marks the declarations that only some of the passes have.
///
/// Passes that include a header at different places read the same declaration at different places
/// of the merged stream: the same tokens of the same file are one declaration.
fn mark_presence(tokens: &[PpToken], declarations: &mut [TopDeclaration], all: PassSet) {
    let key = |declaration: &TopDeclaration| {
        let own =
            tokens[declaration.tokens.clone()].iter().filter(|token| token.passes.meets(declaration.passes));
        let mut hasher = FxHasher::default();
        declaration.scope.hash(&mut hasher);
        own.for_each(|token| (token.at, token.text).hash(&mut hasher));
        hasher.finish()
    };
    let mut having: FxHashMap<u64, PassSet> = FxHashMap::default();
    for declaration in declarations.iter().filter(|declaration| declaration.passes != all) {
        let passes = having.entry(key(declaration)).or_default();
        *passes = passes.or(declaration.passes);
    }
    for declaration in declarations.iter_mut().filter(|declaration| declaration.passes != all) {
        declaration.varies.presence = having.get(&key(declaration)) != Some(&all);
    }
}

/// Marks a declaration whose tokens vary. True if those who use its names can see that.
fn mark_own(
    tokens: &[PpToken],
    partial: &[usize],
    declaration: &mut TopDeclaration,
    hidden: &[Range<usize>],
) -> bool {
    let mut visible = false;
    let first = partial.partition_point(|index| *index < declaration.tokens.start);
    for index in partial[first..].iter().take_while(|index| **index < declaration.tokens.end) {
        let passes = tokens[*index].passes;
        if passes.meets(declaration.passes) && !passes.contains(declaration.passes) {
            declaration.varies.tokens = true;
            let text = tokens[*index].text;
            let constant = declaration.kind == DeclKind::Variable && text == sym::CONST;
            visible = visible || !(constant || is_specifier(text) || is_hidden(hidden, *index));
        }
    }
    visible
}

fn is_hidden(hidden: &[Range<usize>], index: usize) -> bool {
    let next = hidden.partition_point(|range| range.end <= index);
    hidden.get(next).is_some_and(|range| range.start <= index)
}

/// The namespace of a using-directive.
fn nominated(tokens: &[PpToken], declaration: &TopDeclaration) -> Option<Symbol> {
    let own = &tokens[declaration.tokens.clone()];
    let directive = declaration.kind == DeclKind::Using && own.get(1)?.text == sym::NAMESPACE;
    let mut words = own.iter().rev().filter(|token| token.kind == TokenKind::Identifier);
    directive.then(|| words.next().map(|token| token.text)).flatten()
}

/// The names found to vary.
#[derive(Default)]
struct Names {
    varying: Varying,
    /// Those whose mentions were not looked at yet.
    fresh: Vec<(Symbol, Home)>,
}

impl Names {
    /// Makes the names of a declaration varying. A member defined outside its class makes its
    /// class's name varying, for who uses the member mentions that.
    fn give(&mut self, tokens: &[PpToken], declaration: &TopDeclaration, scopes: &[Scope]) {
        let (declared, qualifiers) = declaration.names.split_at(declaration.declared);
        let home = self.home(tokens, declaration, scopes);
        let scoping = &self.varying.scoping;
        match qualifiers.iter().take_while(|name| !scoping.is_namespace(**name)).last() {
            Some(class) => self.add(*class, home),
            None => declared.iter().for_each(|name| self.add(*name, home)),
        }
    }

    /// Where a declaration's names are found. A name of C is the same function in every namespace ([dcl.link]).
    fn home(&self, tokens: &[PpToken], declaration: &TopDeclaration, scopes: &[Scope]) -> Home {
        let of_c = scopes[declaration.scope.0 as usize].extern_c
            || tokens[declaration.tokens.start].text == sym::EXTERN
                && tokens
                    .get(declaration.tokens.start + 1)
                    .is_some_and(|token| token.kind == TokenKind::String);
        let told = declaration.names.len() == declaration.declared && !of_c;
        Home {
            namespace: told.then(|| self.varying.scoping.of(declaration.scope)),
            function: !matches!(
                declaration.kind,
                DeclKind::Class | DeclKind::Enum | DeclKind::Alias | DeclKind::Variable | DeclKind::Forward
            ),
        }
    }

    /// A using-directive that varies decides about the names of its namespace that something else has too; without it
    /// the others mean nothing, which no compiler lets pass.
    fn give_nominated(&mut self, tokens: &[PpToken], namespace: Symbol, cut: &Cut) {
        let inside = |declaration: &TopDeclaration| {
            let scope = &cut.scopes[declaration.scope.0 as usize];
            scope.name == Some(namespace)
        };
        let (own, others): (Vec<_>, Vec<_>) = cut.declarations.iter().partition(|one| inside(one));
        let others: FxHashSet<Symbol> = others.iter().flat_map(|one| one.names.iter().copied()).collect();
        for one in own {
            let home = self.home(tokens, one, &cut.scopes);
            for name in one.names[..one.declared].iter().filter(|name| others.contains(name)) {
                self.add(*name, home);
            }
        }
    }

    fn add(&mut self, name: Symbol, home: Home) {
        if word(name).is_none() && self.varying.add(name, home) {
            self.fresh.push((name, home));
        }
    }
}

/// For each identifier the declarations that mention it.
struct Mentions {
    /// The first entry in `entries` of each name, by the number of its symbol, plus one; 0 for none.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    declaration: u32,
    mention: Mention,
    /// Outside the declaration's hidden parts.
    visible: bool,
    /// The next entry of the same name, plus one.
    next: u32,
}

impl Mentions {
    fn of(
        tokens: &[PpToken],
        declarations: &[TopDeclaration],
        hidden: &[Vec<Range<usize>>],
        scoping: &Scoping,
    ) -> Mentions {
        let mut mentions = Mentions { heads: Vec::new(), entries: Vec::new() };
        for (number, (declaration, hidden)) in declarations.iter().zip(hidden).enumerate() {
            for name in &declaration.names {
                mentions.add(*name, number as u32, Mention::Own, true);
            }
            each(tokens, declaration, &[], scoping, |index, mention| {
                mentions.add(tokens[index].text, number as u32, mention, !is_hidden(hidden, index));
            });
        }
        mentions
    }

    fn add(&mut self, name: Symbol, declaration: u32, mention: Mention, visible: bool) {
        if self.heads.len() <= name.index() {
            self.heads.resize(name.index() + 1, 0);
        }
        let head = &mut self.heads[name.index()];
        if let Some(entry) = (*head as usize).checked_sub(1).and_then(|at| self.entries.get_mut(at))
            && (entry.declaration, entry.mention) == (declaration, mention)
        {
            entry.visible |= visible;
            return;
        }
        self.entries.push(Entry { declaration, mention, visible, next: *head });
        *head = self.entries.len() as u32;
    }

    fn of_name(&self, name: Symbol) -> impl Iterator<Item = Entry> {
        let mut next = self.heads.get(name.index()).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let entry = *self.entries.get((next as usize).checked_sub(1)?)?;
            next = entry.next;
            Some(entry)
        })
    }
}
