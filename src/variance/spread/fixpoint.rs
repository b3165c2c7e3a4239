//! The fixpoint: from tokens that vary to declarations that vary to names that vary, until nothing changes.
//!
//! A declaration that varies makes the names it declares varying; one that mentions a varying name
//! varies too. Two things keep the result small. A difference in a hidden part only (the body of an
//! ordinary function, [`super::hidden`]) leaves the names as they are. And an identifier that can't
//! mean a name of namespace scope (`x.name`, `Class::name`, `int name`), or not one of that namespace
//! ([`crate::variance::names`]), is no mention of one.

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::{PpToken, Preprocessed, Search};
use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::cut::{Cut, TopDeclaration, Varies};
use crate::variance::names::{Home, LookupScope, Mention, Namespaces, VaryingNames, each_mention, may_mean};
use crate::variance::result::PartialTokens;

use super::declaration_facts::{DeclarationFacts, Entry, OwnFacts, TokenVariance};
use super::hidden::is_hidden;
use super::preamble::{PreambleVariance, Settled};
use super::presence::mark_presence;
use super::sizes::{SizeWords, mark_sizes};
use super::worklist::{Worklist, nominated};

/// Fills in `varies` of all declarations; the varying names, and the tokens that not all passes have. The facts of a
/// preamble that the cut began with are found once and kept with it.
pub(in crate::variance) fn spread(
    unit: &Preprocessed,
    cut: &mut Cut,
    all: PassSet,
    preamble: Option<&PreambleVariance>,
) -> (VaryingNames, PartialTokens) {
    let tokens = unit.tokens();
    let tops = preamble.map_or(0, |preamble| preamble.cut.declarations.len());
    let words = SizeWords::new();
    let wanted = |index: usize| [!tokens[index].passes.contains(all), words.has(tokens, index)];
    let [partial, sized] = unit.find_tokens([(Search::Partial, all.0), (Search::Sizes, 0)], wanted);
    let partial = PartialTokens(partial.into());
    if all.has(0) && all.len() > 1 {
        mark_sizes(unit, &sized, &mut cut.declarations);
    }
    let sizes = cut.declarations.iter().any(|declaration| declaration.varies.sizes);
    if !sizes && partial.iter().next().is_none() {
        return (VaryingNames::default(), partial);
    }
    let (in_preamble, rest) = cut.declarations.split_at(tops);
    let preamble = preamble.map(|preamble| {
        let facts = || DeclarationFacts::of(tokens, in_preamble, 0, &partial, all);
        (preamble, preamble.facts.get_or_init(facts))
    });
    let own = DeclarationFacts::of(tokens, rest, tops, &partial, all);
    let parts: Vec<&DeclarationFacts> = preamble.iter().map(|(_, facts)| *facts).chain([&own]).collect();
    let some: Vec<(usize, u64)> = parts.iter().flat_map(|facts| facts.partial.iter().copied()).collect();
    mark_presence(tokens, &some, &mut cut.declarations, all);
    for (declaration, varying) in
        cut.declarations.iter_mut().zip(parts.iter().flat_map(|facts| facts.tokens()))
    {
        declaration.varies.tokens = varying != TokenVariance::None;
    }
    let mut fixpoint = Fixpoint::new(tokens, cut);
    if let Some((preamble, facts)) = preamble {
        fixpoint.settle_preamble(preamble, facts);
    }
    let known = fixpoint.names.known();
    fixpoint.give_own(&own);
    for (name, home) in known {
        fixpoint.follow(name, home, &[&own]);
    }
    fixpoint.settle(&parts);
    (fixpoint.names.varying, partial)
}

/// The fixpoint at work.
struct Fixpoint<'t> {
    tokens: &'t [PpToken],
    cut: &'t mut Cut,
    /// By number of the declaration.
    states: Vec<DeclarationState>,
    names: Worklist,
}

impl<'t> Fixpoint<'t> {
    /// No name varies yet.
    fn new(tokens: &'t [PpToken], cut: &'t mut Cut) -> Fixpoint<'t> {
        let namespaces = Namespaces::new(tokens, &cut.declarations, &cut.scopes);
        let varying = VaryingNames { namespaces, ..VaryingNames::default() };
        let mut states = Vec::new();
        states.resize_with(cut.declarations.len(), DeclarationState::default);
        Fixpoint { tokens, cut, states, names: Worklist { varying, fresh: Vec::new() } }
    }

    /// Finds the fixpoint of the preamble's declarations alone, or takes that of the last text.
    fn settle_preamble(&mut self, preamble: &PreambleVariance, facts: &DeclarationFacts) {
        let tops = facts.len();
        let varies = |cut: &Cut| -> Vec<Varies> {
            cut.declarations[..tops].iter().map(|declaration| declaration.varies).collect()
        };
        let (before, namespaces) = (varies(self.cut), self.names.varying.namespaces.clone());
        let holds = |last: &Settled| last.before == before && last.namespaces == namespaces;
        if let Some(last) = preamble.settled(holds) {
            self.names.varying = last.names.clone();
            for (number, declaration) in self.cut.declarations[..tops].iter_mut().enumerate() {
                declaration.varies = last.after[number];
                self.states[number].given = last.given[number];
            }
            return;
        }
        let nominates = self.give_own(facts);
        self.settle(&[facts]);
        // The names that a varying using-directive makes varying depend on the declarations behind the preamble too.
        if !nominates {
            let given = self.states[..tops].iter().map(|state| state.given).collect();
            let (after, names) = (varies(self.cut), self.names.varying.clone());
            preamble.settle(Settled { namespaces, before, after, names, given });
        }
    }

    /// Makes the names of those declarations varying that vary by themselves. Whether one of them is a
    /// using-directive.
    fn give_own(&mut self, facts: &DeclarationFacts) -> bool {
        let mut nominates = false;
        for (number, varying) in facts.tokens().enumerate() {
            let declaration = &self.cut.declarations[facts.first + number];
            let visible = varying == TokenVariance::Visible;
            if visible || declaration.varies.presence || declaration.varies.sizes {
                self.names.give(self.tokens, declaration, &self.cut.scopes);
                if let Some(namespace) = nominated(self.tokens, declaration) {
                    self.names.give_nominated(self.tokens, namespace, self.cut);
                    nominates = true;
                }
            }
        }
        nominates
    }

    /// Follows names until nothing changes.
    fn settle(&mut self, parts: &[&DeclarationFacts]) {
        while let Some((name, home)) = self.names.fresh.pop() {
            unwind_if_cancelled();
            self.follow(name, home, parts);
        }
    }

    /// Makes the declarations vary that mention a name.
    fn follow(&mut self, name: Symbol, home: Home, parts: &[&DeclarationFacts]) {
        for facts in parts {
            for entry in facts.mentions.of_name(name) {
                let index = entry.declaration as usize;
                let declaration = &mut self.cut.declarations[index];
                let (namespaces, state) = (&self.names.varying.namespaces, &mut self.states[index]);
                if state.given && declaration.varies.names {
                    continue;
                }
                let find_scope = || match facts.own(index).opens_a_scope {
                    true => Box::new(namespaces.lookup_scope(self.tokens, declaration)),
                    false => Box::new(namespaces.scope_around(declaration)),
                };
                let scope = state.scope.get_or_insert_with(find_scope);
                if !may_mean(namespaces, entry.mention, scope, home) {
                    continue;
                }
                let Some(visible) = visible(self.tokens, declaration, facts.own(index), name, &entry) else {
                    continue;
                };
                let own = declaration.names[..declaration.declared].contains(&name);
                declaration.varies.names |= !(own && declaration.varies.any());
                if visible {
                    state.given = true;
                    self.names.give(self.tokens, declaration, &self.cut.scopes);
                }
            }
        }
    }
}

/// The state of a declaration that mentions varying names.
#[derive(Default)]
struct DeclarationState {
    /// Found when it is asked for.
    scope: Option<Box<LookupScope>>,
    /// Its own names vary with it.
    given: bool,
}

/// Whether some mention of a name in a declaration is outside the hidden parts; `None` if all of them mean local variables.
fn visible(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    facts: &OwnFacts,
    name: Symbol,
    entry: &Entry,
) -> Option<bool> {
    if !matches!(entry.mention, Mention::Plain | Mention::Called) {
        return Some(entry.visible);
    }
    let first = declaration.tokens.start;
    let locals = facts.locals(tokens, declaration);
    if !locals.iter().any(|index| tokens[first + index].text == name) {
        return Some(entry.visible);
    }
    let locals: Vec<usize> = locals.iter().map(|index| first + index).collect();
    let mut visible = None;
    each_mention(tokens, declaration, &locals, |index, mention| {
        if tokens[index].text == name && mention == entry.mention {
            visible = Some(visible == Some(true) || !is_hidden(&facts.hidden, index - first));
        }
    });
    visible
}
