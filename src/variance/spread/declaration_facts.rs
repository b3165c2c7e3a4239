//! The facts of declarations that follow from their own tokens alone: which of them vary by themselves, where their
//! bodies are hidden, which names they mention.
//!
//! In: declarations in a row. Out: [`DeclarationFacts`]. Nothing here depends on other declarations, so that those of a
//! preamble are found once, and those of each declaration of a header once for all units that have it.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::cut::{DeclKind, TopDeclaration, is_specifier};
use crate::variance::names::{Mention, each_mention, locals, opens_a_scope};
use crate::variance::result::PartialTokens;

use super::hidden::{hidden, is_hidden};
use super::presence::fingerprint;

/// The facts of some declarations in a row.
#[derive(Debug)]
pub(super) struct DeclarationFacts {
    /// The number of the first.
    pub(super) first: usize,
    /// Those of each one's own tokens.
    own: Vec<Arc<OwnFacts>>,
    /// The numbers of those that not all passes have, each with its [`fingerprint`].
    pub(super) partial: Vec<(usize, u64)>,
    /// The names that they mention.
    pub(super) mentions: Mentions,
}

impl DeclarationFacts {
    /// The facts of declarations of which the first has number `first`. `partial` are the tokens that not all passes in
    /// `all` have.
    pub(super) fn of(
        tokens: &[PpToken],
        declarations: &[TopDeclaration],
        first: usize,
        partial: &PartialTokens,
        all: PassSet,
    ) -> DeclarationFacts {
        let facts_of = |declaration: &TopDeclaration| {
            unwind_if_cancelled();
            let kept = declaration.known.0.as_ref().map(|known| &known.variance);
            if let Some(known) = kept.and_then(|kept| kept.get::<Arc<OwnFacts>>()) {
                return Arc::clone(known);
            }
            let facts = Arc::new(OwnFacts::of(tokens, declaration, partial));
            if let Some(kept) = kept {
                kept.set(Arc::clone(&facts));
            }
            facts
        };
        let own: Vec<_> = declarations.iter().map(facts_of).collect();
        let some = declarations.iter().enumerate().filter(|(_, one)| one.passes != all);
        let some = some.map(|(number, one)| (first + number, fingerprint(tokens, one))).collect();
        let mut mentions = Mentions::default();
        for (number, facts) in own.iter().enumerate() {
            mentions.extend((first + number) as u32, &facts.mentions);
        }
        DeclarationFacts { first, own, partial: some, mentions }
    }

    /// The number of declarations.
    pub(super) fn len(&self) -> usize {
        self.own.len()
    }

    /// The variance of each one's own tokens.
    pub(super) fn tokens(&self) -> impl Iterator<Item = TokenVariance> {
        self.own.iter().map(|facts| facts.tokens)
    }

    /// The facts of a declaration's own tokens, by its number.
    pub(super) fn own(&self, number: usize) -> &OwnFacts {
        &self.own[number - self.first]
    }
}

/// The facts of a declaration's own tokens, wherever they stand.
#[derive(Debug)]
pub(super) struct OwnFacts {
    /// The hidden parts, as indices that count from its first token.
    pub(super) hidden: Box<[Range<usize>]>,
    tokens: TokenVariance,
    mentions: Box<[Mentioned]>,
    /// [`opens_a_scope`].
    pub(super) opens_a_scope: bool,
    /// The identifiers that mean local variables, as such indices. Few declarations are asked.
    locals: OnceLock<Box<[usize]>>,
}

/// A name that a declaration mentions in one way.
#[derive(Clone, Copy, Debug)]
struct Mentioned {
    name: Symbol,
    mention: Mention,
    /// Outside the declaration's hidden parts.
    visible: bool,
}

impl OwnFacts {
    fn of(tokens: &[PpToken], declaration: &TopDeclaration, partial: &PartialTokens) -> OwnFacts {
        let hidden = hidden(tokens, declaration);
        let varying = token_variance(tokens, partial, declaration, &hidden);
        let own = declaration.names.iter().map(|name| (*name, Mention::Own, true));
        let mut all: Vec<Mentioned> = Vec::new();
        // Where each name is last.
        let mut last: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut add = |name: Symbol, mention: Mention, visible: bool| {
            if let Some(known) = last.get(&name).map(|at| &mut all[*at])
                && known.mention == mention
            {
                known.visible |= visible;
                return;
            }
            last.insert(name, all.len());
            all.push(Mentioned { name, mention, visible });
        };
        own.for_each(|(name, mention, visible)| add(name, mention, visible));
        each_mention(tokens, declaration, &[], |index, mention| {
            add(tokens[index].text, mention, !is_hidden(&hidden, index));
        });
        let opens_a_scope = opens_a_scope(&tokens[declaration.tokens.clone()]);
        let first = declaration.tokens.start;
        let hidden = hidden.into_iter().map(|part| part.start - first..part.end - first).collect();
        let (mentions, locals) = (all.into(), OnceLock::new());
        OwnFacts { hidden, tokens: varying, mentions, opens_a_scope, locals }
    }

    /// The identifiers in the declaration that mean local variables, as indices that count from its first token.
    pub(super) fn locals(&self, tokens: &[PpToken], declaration: &TopDeclaration) -> &[usize] {
        let first = declaration.tokens.start;
        self.locals.get_or_init(|| locals(tokens, declaration).iter().map(|index| index - first).collect())
    }
}

/// The variance of a declaration's own tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenVariance {
    /// Every pass that has the declaration has all of them.
    None,
    /// Only in hidden parts and in words that change neither type nor value.
    Hidden,
    /// So that other declarations can depend on it.
    Visible,
}

/// The variance of a declaration's own tokens; `partial` are those of the unit that not every pass has.
fn token_variance(
    tokens: &[PpToken],
    partial: &PartialTokens,
    declaration: &TopDeclaration,
    hidden: &[Range<usize>],
) -> TokenVariance {
    let mut found = TokenVariance::None;
    for index in partial.within(declaration.tokens.clone()) {
        let passes = tokens[index].passes;
        if passes.meets(declaration.passes) && !passes.contains(declaration.passes) {
            let text = tokens[index].text;
            let constant = declaration.kind == DeclKind::Variable && text == sym::CONST;
            if !(constant || is_specifier(text) || is_hidden(hidden, index)) {
                return TokenVariance::Visible;
            }
            found = TokenVariance::Hidden;
        }
    }
    found
}

/// An index from each identifier to the declarations that mention it.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The first entry in `entries` of each name, by the number of its symbol, plus one; 0 for none.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

/// A declaration that mentions a name in one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The declaration's number.
    pub(super) declaration: u32,
    pub(super) mention: Mention,
    /// Outside the declaration's hidden parts.
    pub(super) visible: bool,
    /// The next entry of the same name, plus one.
    next: u32,
}

impl Mentions {
    /// Adds what a declaration, given by its number, mentions.
    fn extend(&mut self, declaration: u32, mentioned: &[Mentioned]) {
        for Mentioned { name, mention, visible } in mentioned.iter().copied() {
            if self.heads.len() <= name.index() {
                self.heads.resize((name.index() + 1).next_power_of_two(), 0);
            }
            let head = &mut self.heads[name.index()];
            self.entries.push(Entry { declaration, mention, visible, next: *head });
            *head = self.entries.len() as u32;
        }
    }

    /// The entries of a name, the last one first.
    pub(super) fn of_name(&self, name: Symbol) -> impl Iterator<Item = Entry> {
        let mut next = self.heads.get(name.index()).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let entry = *self.entries.get((next as usize).checked_sub(1)?)?;
            next = entry.next;
            Some(entry)
        })
    }
}
