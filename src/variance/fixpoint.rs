//! From tokens that vary to declarations that vary to names that vary, until nothing changes.
//!
//! A declaration that varies makes the names it declares varying; one that mentions a varying name
//! varies too. Two things keep the result small. What only varies in a hidden part (the body of an
//! ordinary function, [`super::hidden`]) leaves the names as they are. And an identifier that can't
//! mean a name of namespace scope (`x.name`, `Class::name`, `int name`), or not one of that namespace
//! ([`super::scoping`]), is no mention of one.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::cut::{Begun, Cut};
use super::declarations::{DeclKind, Partial, Scope, TopDeclaration, Varies};
use super::locals::locals;
use super::mentions::{Home, Mention, Varying, each, is_of};
use super::said::{Entry, Said, Spots, is_hidden};
use super::scoping::{Looked, Scoping};
use super::sizes;
use super::words::word;

/// Fills in `varies` of all declarations; the varying names, and the tokens that not all passes have. What the tokens of
/// headers say is kept with a cut that was begun, and so is what follows from it alone.
pub(super) fn spread(
    unit: &Preprocessed,
    cut: &mut Cut,
    all: PassSet,
    begun: Option<&Begun>,
) -> (Varying, Partial) {
    let tokens = unit.tokens();
    let (tops, first) = begun.map_or((0, 0), |begun| (begun.declarations.len(), begun.tokens));
    let headers = begun.map(|begun| begun.kept.spots(|| Spots::of(unit, 0..first, all)));
    let own = Arc::new(Spots::of(unit, first..tokens.len(), all));
    let partial = Partial(headers.iter().chain([&own]).map(Arc::clone).collect());
    if all.has(0) && all.len() > 1 {
        let sizes: Vec<&sizes::Spots> = partial.0.iter().map(|spots| &spots.sizes).collect();
        sizes::mark(tokens, &sizes, &mut cut.declarations);
    }
    let sizes = cut.declarations.iter().any(|declaration| declaration.varies.sizes);
    if !sizes && partial.iter().next().is_none() {
        return (Varying::default(), partial);
    }
    let (of_headers, rest) = cut.declarations.split_at(tops);
    let headers =
        headers.map(|spots| Arc::clone(spots.said(|| Said::of(tokens, of_headers, 0, &spots.partial, all))));
    let own = Said::of(tokens, rest, tops, &own.partial, all);
    let parts: Vec<&Said> = headers.iter().map(Arc::as_ref).chain([&own]).collect();
    mark_presence(&parts, &mut cut.declarations, all);
    let mut spread = Spread {
        tokens,
        known: Vec::new(),
        names: Names { varying: Varying::default(), fresh: Vec::new() },
        cut,
    };
    spread.known.resize_with(spread.cut.declarations.len(), Known::default);
    let declarations = &mut spread.cut.declarations;
    for (declaration, (varies, _)) in declarations.iter_mut().zip(parts.iter().flat_map(|said| &said.own)) {
        declaration.varies.tokens = *varies;
    }
    spread.names.varying.scoping = Scoping::new(tokens, declarations, &spread.cut.scopes);
    if let (Some(begun), Some(headers)) = (begun, &headers) {
        spread.headers(begun, headers);
    }
    let known = spread.names.known();
    spread.give_own(&own, tops);
    for (name, home) in known {
        spread.spread(name, home, &[&own]);
    }
    spread.settle(&parts);
    (spread.names.varying, partial)
}

/// The fixpoint at work.
struct Spread<'t> {
    tokens: &'t [PpToken],
    cut: &'t mut Cut,
    known: Vec<Known>,
    names: Names,
}

/// What follows from the declarations of headers alone.
#[derive(Debug)]
pub(super) struct Settled {
    scoping: Scoping,
    /// What varied by itself, and what did in the end.
    before: Vec<Varies>,
    after: Vec<Varies>,
    names: Varying,
    given: Vec<bool>,
}

impl Spread<'_> {
    /// Does what follows from the declarations of the headers alone, or did the last time.
    fn headers(&mut self, begun: &Begun, headers: &Said) {
        let tops = headers.hidden.len();
        let varies = |cut: &Cut| -> Vec<Varies> {
            cut.declarations[..tops].iter().map(|declaration| declaration.varies).collect()
        };
        let (before, scoping) = (varies(self.cut), self.names.varying.scoping.clone());
        if let Some(last) = begun.kept.settled(|last| last.before == before && last.scoping == scoping) {
            self.names.varying = last.names.clone();
            for (number, declaration) in self.cut.declarations[..tops].iter_mut().enumerate() {
                declaration.varies = last.after[number];
                self.known[number].given = last.given[number];
            }
            return;
        }
        let nominates = self.give_own(headers, 0);
        self.settle(&[headers]);
        // What a directive that varies gives hangs on the declarations behind the headers too.
        if !nominates {
            let given = self.known[..tops].iter().map(|known| known.given).collect();
            let (after, names) = (varies(self.cut), self.names.varying.clone());
            begun.kept.settle(Settled { scoping, before, after, names, given });
        }
    }

    /// Gives the names of the declarations from number `first` on that vary by themselves. Whether one of them is a
    /// using-directive.
    fn give_own(&mut self, said: &Said, first: usize) -> bool {
        let mut nominates = false;
        for (number, (_, visible)) in said.own.iter().enumerate() {
            let declaration = &self.cut.declarations[first + number];
            if *visible || declaration.varies.presence || declaration.varies.sizes {
                self.names.give(self.tokens, declaration, &self.cut.scopes);
                if let Some(namespace) = nominated(self.tokens, declaration) {
                    self.names.give_nominated(self.tokens, namespace, self.cut);
                    nominates = true;
                }
            }
        }
        nominates
    }

    /// Until nothing changes.
    fn settle(&mut self, parts: &[&Said]) {
        while let Some((name, home)) = self.names.fresh.pop() {
            self.spread(name, home, parts);
        }
    }

    /// Makes the declarations vary that mention a name.
    fn spread(&mut self, name: Symbol, home: Home, parts: &[&Said]) {
        for said in parts {
            for entry in said.mentions.of_name(name) {
                let index = entry.declaration as usize;
                let declaration = &mut self.cut.declarations[index];
                let (scoping, known) = (&self.names.varying.scoping, &mut self.known[index]);
                if known.given && declaration.varies.names {
                    continue;
                }
                let looked =
                    known.looked.get_or_insert_with(|| Box::new(scoping.looked(self.tokens, declaration)));
                if !is_of(scoping, entry.mention, looked, home) {
                    continue;
                }
                let hidden = &said.hidden[index - said.first];
                let Some(visible) = known.visible(self.tokens, declaration, hidden, name, &entry) else {
                    continue;
                };
                let own = declaration.names[..declaration.declared].contains(&name);
                declaration.varies.names |= !(own && declaration.varies.any());
                if visible {
                    known.given = true;
                    self.names.give(self.tokens, declaration, &self.cut.scopes);
                }
            }
        }
    }
}

/// What is known of a declaration that mentions names that vary.
#[derive(Default)]
struct Known {
    looked: Option<Box<Looked>>,
    /// Its own names vary with it.
    given: bool,
    /// The identifiers in it that mean local variables. Few declarations are asked.
    locals: Option<Vec<usize>>,
}

impl Known {
    /// Whether some mention of a name is outside the hidden parts; `None` if all of them mean local variables.
    fn visible(
        &mut self,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        hidden: &[Range<usize>],
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
        each(tokens, declaration, locals, |index, mention| {
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
fn mark_presence(parts: &[&Said], declarations: &mut [TopDeclaration], all: PassSet) {
    let mut having: FxHashMap<u64, PassSet> = FxHashMap::default();
    let partial = || parts.iter().flat_map(|said| &said.present);
    for (number, key) in partial() {
        let passes = having.entry(*key).or_default();
        *passes = passes.or(declarations[*number].passes);
    }
    for (number, key) in partial() {
        declarations[*number].varies.presence = having.get(key) != Some(&all);
    }
}

/// The namespace of a using-directive.
fn nominated(tokens: &[PpToken], declaration: &TopDeclaration) -> Option<Symbol> {
    let own = &tokens[declaration.tokens.clone()];
    let directive = declaration.kind == DeclKind::Using && own.get(1)?.text == sym::NAMESPACE;
    let mut words = own.iter().rev().filter(|token| token.kind == TokenKind::Identifier);
    directive.then(|| words.next().map(|token| token.text)).flatten()
}

/// The names found to vary.
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
        let home = Home::of(&self.varying.scoping, tokens, declaration, scopes);
        let scoping = &self.varying.scoping;
        match qualifiers.iter().take_while(|name| !scoping.is_namespace(**name)).last() {
            Some(class) => self.add(*class, home),
            None => declared.iter().for_each(|name| self.add(*name, home)),
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
            let home = Home::of(&self.varying.scoping, tokens, one, &cut.scopes);
            for name in one.names[..one.declared].iter().filter(|name| others.contains(name)) {
                self.add(*name, home);
            }
        }
    }

    /// All that vary so far.
    fn known(&self) -> Vec<(Symbol, Home)> {
        let homes = self.varying.homes.iter();
        homes.flat_map(|(name, homes)| homes.iter().map(|home| (*name, *home))).collect()
    }

    fn add(&mut self, name: Symbol, home: Home) {
        if word(name).is_none() && self.varying.add(name, home) {
            self.fresh.push((name, home));
        }
    }
}
