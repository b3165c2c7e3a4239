//! The facts of declarations that follow from their own tokens alone: which of them vary by themselves, where their
//! bodies are hidden, which names they mention.
//!
//! In: declarations in a row. Out: [`DeclarationFacts`]. Nothing here depends on other declarations, so that those of a
//! preamble are found once.

use std::ops::Range;

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::cut::{DeclKind, TopDeclaration, is_specifier};
use crate::variance::names::{Mention, each_mention};

use super::hidden::{hidden, is_hidden};
use super::presence::fingerprint;

/// The facts of some declarations in a row.
#[derive(Debug)]
pub(super) struct DeclarationFacts {
    /// The number of the first.
    pub(super) first: usize,
    /// The hidden parts of each.
    pub(super) hidden: Vec<Vec<Range<usize>>>,
    /// The variance of each one's own tokens.
    pub(super) tokens: Vec<TokenVariance>,
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
        partial: &[usize],
        all: PassSet,
    ) -> DeclarationFacts {
        let hidden_parts = |declaration: &TopDeclaration| {
            unwind_if_cancelled();
            hidden(tokens, declaration)
        };
        let hidden: Vec<_> = declarations.iter().map(hidden_parts).collect();
        let with_hidden = || declarations.iter().zip(&hidden);
        let varying = with_hidden()
            .map(|(declaration, hidden)| token_variance(tokens, partial, declaration, hidden))
            .collect();
        let some = declarations.iter().enumerate().filter(|(_, one)| one.passes != all);
        let some = some.map(|(number, one)| (first + number, fingerprint(tokens, one))).collect();
        let mut mentions = Mentions { heads: Vec::new(), entries: Vec::new() };
        for (number, (declaration, hidden)) in with_hidden().enumerate() {
            unwind_if_cancelled();
            mentions.of(tokens, declaration, (first + number) as u32, hidden);
        }
        DeclarationFacts { first, hidden, tokens: varying, partial: some, mentions }
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
    partial: &[usize],
    declaration: &TopDeclaration,
    hidden: &[Range<usize>],
) -> TokenVariance {
    let mut found = TokenVariance::None;
    let first = partial.partition_point(|index| *index < declaration.tokens.start);
    for index in partial[first..].iter().take_while(|index| **index < declaration.tokens.end) {
        let passes = tokens[*index].passes;
        if passes.meets(declaration.passes) && !passes.contains(declaration.passes) {
            let text = tokens[*index].text;
            let constant = declaration.kind == DeclKind::Variable && text == sym::CONST;
            if !(constant || is_specifier(text) || is_hidden(hidden, *index)) {
                return TokenVariance::Visible;
            }
            found = TokenVariance::Hidden;
        }
    }
    found
}

/// An index from each identifier to the declarations that mention it.
#[derive(Debug)]
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
    fn of(&mut self, tokens: &[PpToken], declaration: &TopDeclaration, number: u32, hidden: &[Range<usize>]) {
        for name in &declaration.names {
            self.add(*name, number, Mention::Own, true);
        }
        each_mention(tokens, declaration, &[], |index, mention| {
            self.add(tokens[index].text, number, mention, !is_hidden(hidden, index));
        });
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
