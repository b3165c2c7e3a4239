//! Whether compiled code may use a function to which no walk came.
//!
//! In: what the walks followed, and tokens. Out: a yes or no for a function. Names count by their spelling, but a mention
//! that a walk resolved to some other entity is none of the function, and code that nothing uses uses nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Loc, Span, Symbol, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use crate::facts::index::function_tokens::{FunctionTokens, UsedBy};
use crate::facts::index::functions::functions;
use crate::facts::index::tokens::{calls_unnamed, is_plain_member, place_of_unnamed};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::BlindSpotCause;

/// What the walks of all passes followed.
pub(in crate::facts) struct Followed<'w> {
    /// The functions whose bodies were followed, by where their names begin, with the passes.
    pub functions: &'w FxHashMap<Loc, PassSet>,
    /// The mentions that could not be settled, with the passes.
    pub unsettled: &'w BTreeMap<Span, (PassSet, BlindSpotCause)>,
    /// The mentions that were resolved or are discarded; some of them are unsettled.
    pub seen: &'w FxHashSet<Span>,
}

impl Followed<'_> {
    /// The passes in which a function's body was followed.
    pub(in crate::facts) fn passes_of(&self, unit: &IndexedUnit<'_>, function: &FunctionTokens) -> PassSet {
        let head = &unit.pp.tokens()[function.head.clone()];
        let passes = head.iter().filter_map(|token| self.functions.get(&token.at.loc()));
        passes.fold(PassSet::EMPTY, |all, passes| all.or(*passes))
    }

    /// Whether a walk told what the mention at a place denotes, wherever it came to it.
    fn is_settled(&self, at: Span) -> bool {
        self.seen.contains(&at) && !self.unsettled.contains_key(&at)
    }
}

/// The search for uses.
pub(in crate::facts) struct Usage<'w> {
    unit: &'w IndexedUnit<'w>,
    followed: &'w Followed<'w>,
    /// The passes that a mention has to be in.
    within: PassSet,
    /// The answers by name.
    used: FxHashMap<(Symbol, Kind), bool>,
    /// The names whose answers are being computed.
    in_progress: FxHashSet<(Symbol, Kind)>,
}

/// What a name is searched as.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// A function: it is used where it is called.
    Function,
    /// A class: objects of it may use its special member functions and operators wherever it is mentioned.
    Class,
}

impl<'w> Usage<'w> {
    /// The search for uses that all of the passes `within` have.
    pub(in crate::facts) fn new(
        unit: &'w IndexedUnit<'w>,
        followed: &'w Followed<'w>,
        within: PassSet,
    ) -> Usage<'w> {
        Usage { unit, followed, within, used: FxHashMap::default(), in_progress: FxHashSet::default() }
    }

    /// Whether code that is compiled may use a function; in doubt it does.
    pub(in crate::facts) fn may_be_used(&mut self, function: &FunctionTokens) -> bool {
        let is_followed = !self.followed.passes_of(self.unit, function).is_empty();
        if is_followed || !function.is_templated {
            return is_followed;
        }
        match &function.used_by {
            UsedBy::Name(name) => self.is_name_used(*name, Kind::Function),
            UsedBy::Class(names) => names.iter().any(|name| self.is_name_used(*name, Kind::Class)),
        }
    }

    /// Whether compiled code has a mention of a name that no walk settled.
    fn is_name_used(&mut self, name: Symbol, kind: Kind) -> bool {
        if let Some(known) = self.used.get(&(name, kind)) {
            return *known;
        }
        if !self.in_progress.insert((name, kind)) {
            return false;
        }
        let tops: Vec<usize> = self.unit.token_facts().mentions(name).collect();
        let used = tops.into_iter().any(|top| self.uses(top, name, kind));
        self.in_progress.remove(&(name, kind));
        if used {
            // Answers that were found meanwhile may have taken this one for a no.
            self.used.retain(|_, used| *used);
        }
        self.used.insert((name, kind), used);
        used
    }

    /// Whether a declaration has such a mention, and is compiled.
    fn uses(&mut self, top: usize, name: Symbol, kind: Kind) -> bool {
        let declaration = &self.unit.variance.declarations[top];
        let declares = declaration.names[..declaration.declared].contains(&name);
        let is_template = self.unit.token_facts().is_template(top);
        match declaration.kind {
            DeclKind::Instantiation => self.mentions(declaration.tokens.clone(), None, name, kind),
            DeclKind::Variable => {
                !declares && !is_template && self.mentions(declaration.tokens.clone(), None, name, kind)
            }
            DeclKind::Alias if kind == Kind::Class && !declares => {
                declaration.names.iter().any(|alias| self.is_name_used(*alias, kind))
            }
            DeclKind::Function | DeclKind::Class => {
                let functions = functions(self.unit, top);
                functions.iter().any(|function| self.function_uses(function, name, kind))
                    || kind == Kind::Class
                        && declaration.kind == DeclKind::Class
                        && !declares
                        && self.class_uses(top, &functions, name)
            }
            _ => false,
        }
    }

    /// Whether a function has such a mention, and is compiled.
    fn function_uses(&mut self, function: &FunctionTokens, name: Symbol, kind: Kind) -> bool {
        let parts = match kind {
            Kind::Function => [function.body.clone(), 0..0],
            Kind::Class => [function.head.clone(), function.body.clone()],
        };
        let own = Some(function.name);
        parts.into_iter().any(|part| self.mentions(part, own, name, kind)) && self.may_be_used(function)
    }

    /// Whether a class mentions a class outside the bodies of its functions, and is compiled.
    fn class_uses(&mut self, top: usize, functions: &[FunctionTokens], name: Symbol) -> bool {
        let declaration = &self.unit.variance.declarations[top];
        let within = |at: &usize| functions.iter().any(|one| (one.head.start..one.body.end).contains(at));
        let outside = declaration.tokens.clone().filter(|at| !within(at));
        let mentions = outside.into_iter().any(|at| self.mentions(at..at + 1, None, name, Kind::Class));
        mentions
            && (!self.unit.token_facts().is_template(top)
                || declaration.names.iter().any(|own| self.is_name_used(*own, Kind::Class)))
    }

    /// Whether a range of tokens has a mention of a name, other than at `own`, that no walk settled.
    fn mentions(&self, range: Range<usize>, own: Option<usize>, name: Symbol, kind: Kind) -> bool {
        let tokens = self.unit.pp.tokens();
        let calls = |at: usize| {
            let next = tokens.get(at + 1).map_or(sym::EMPTY, |token| token.text);
            let before = at.checked_sub(1).map_or(sym::EMPTY, |before| tokens[before].text);
            matches!(next, sym::LPAREN | sym::LESS | sym::LBRACE) || before == sym::AMP
        };
        range.into_iter().any(|at| {
            let token = &tokens[at];
            let is_unnamed = kind == Kind::Function
                && token.passes.contains(self.within)
                && calls_unnamed(tokens, at).contains(&name)
                && !self.followed.is_settled(place_of_unnamed(tokens, at));
            is_unnamed
                || token.text == name
                    && token.passes.contains(self.within)
                    && Some(at) != own
                    && match kind {
                        Kind::Function => {
                            calls(at) && !is_plain_member(tokens, at) && !self.followed.is_settled(token.at)
                        }
                        Kind::Class => true,
                    }
        })
    }
}
