//! What the tokens of declarations say by themselves: which of them not all passes have, which names they mention.
//!
//! Nothing here hangs on other declarations, so that for headers it is found once ([`Kept`]).

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHasher;

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{Symbol, sym};
use crate::target::PassSet;

use super::declarations::{DeclKind, TopDeclaration};
use super::fixpoint::Settled;
use super::hidden::hidden;
use super::mentions::{Mention, each};
use super::sizes;
use super::words::is_specifier;

/// What is kept of the declarations of headers for the next analysis.
#[derive(Debug, Default)]
pub(super) struct Kept {
    spots: OnceLock<Arc<Spots>>,
    settled: Mutex<Option<Arc<Settled>>>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Kept {
    pub(super) fn spots(&self, of: impl FnOnce() -> Spots) -> Arc<Spots> {
        Arc::clone(self.spots.get_or_init(|| Arc::new(of())))
    }

    /// What was found to follow the last time, if it holds.
    pub(super) fn settled(&self, holds: impl FnOnce(&Settled) -> bool) -> Option<Arc<Settled>> {
        self.settled.lock().expect(NO_PANIC).clone().filter(|settled| holds(settled))
    }

    pub(super) fn settle(&self, settled: Settled) {
        *self.settled.lock().expect(NO_PANIC) = Some(Arc::new(settled));
    }
}

/// Tokens in some range that matter, whatever declarations they are in.
#[derive(Debug)]
pub(super) struct Spots {
    /// Those that not all passes have.
    pub(super) partial: Vec<usize>,
    pub(super) sizes: sizes::Spots,
    said: OnceLock<Arc<Said>>,
}

impl Spots {
    pub(super) fn of(unit: &Preprocessed, range: Range<usize>, all: PassSet) -> Spots {
        let tokens = unit.tokens();
        let partial = range.clone().filter(|index| !tokens[*index].passes.contains(all)).collect();
        Spots { partial, sizes: sizes::Spots::of(unit, range), said: OnceLock::new() }
    }

    pub(super) fn said(&self, of: impl FnOnce() -> Said) -> &Arc<Said> {
        self.said.get_or_init(|| Arc::new(of()))
    }
}

/// What some declarations in a row say.
#[derive(Debug)]
pub(super) struct Said {
    /// The number of the first.
    pub(super) first: usize,
    /// The hidden parts of each.
    pub(super) hidden: Vec<Vec<Range<usize>>>,
    /// Whether tokens of each vary, and whether those who use its names can see that.
    pub(super) own: Vec<(bool, bool)>,
    /// Those that not all passes have, with what tells whether two are the same.
    pub(super) present: Vec<(usize, u64)>,
    pub(super) mentions: Mentions,
}

impl Said {
    /// That of declarations of which the first is number `first`. `partial` are the tokens among theirs that not
    /// all passes in `all` have.
    pub(super) fn of(
        tokens: &[PpToken],
        declarations: &[TopDeclaration],
        first: usize,
        partial: &[usize],
        all: PassSet,
    ) -> Said {
        let hidden: Vec<_> = declarations.iter().map(|declaration| hidden(tokens, declaration)).collect();
        let with_hidden = || declarations.iter().zip(&hidden);
        let own =
            with_hidden().map(|(declaration, hidden)| own(tokens, partial, declaration, hidden)).collect();
        let some = declarations.iter().enumerate().filter(|(_, one)| one.passes != all);
        let present = some.map(|(number, one)| (first + number, key(tokens, one))).collect();
        let mut mentions = Mentions { heads: Vec::new(), entries: Vec::new() };
        for (number, (declaration, hidden)) in with_hidden().enumerate() {
            mentions.of(tokens, declaration, (first + number) as u32, hidden);
        }
        Said { first, hidden, own, present, mentions }
    }
}

/// Equal for the same declaration in other passes.
fn key(tokens: &[PpToken], declaration: &TopDeclaration) -> u64 {
    let own =
        tokens[declaration.tokens.clone()].iter().filter(|token| token.passes.meets(declaration.passes));
    let mut hasher = FxHasher::default();
    declaration.scope.hash(&mut hasher);
    own.for_each(|token| (token.at, token.text).hash(&mut hasher));
    hasher.finish()
}

/// Whether a declaration's tokens vary, and whether those who use its names can see that.
fn own(
    tokens: &[PpToken],
    partial: &[usize],
    declaration: &TopDeclaration,
    hidden: &[Range<usize>],
) -> (bool, bool) {
    let (mut varies, mut visible) = (false, false);
    let first = partial.partition_point(|index| *index < declaration.tokens.start);
    for index in partial[first..].iter().take_while(|index| **index < declaration.tokens.end) {
        let passes = tokens[*index].passes;
        if passes.meets(declaration.passes) && !passes.contains(declaration.passes) {
            varies = true;
            let text = tokens[*index].text;
            let constant = declaration.kind == DeclKind::Variable && text == sym::CONST;
            visible = visible || !(constant || is_specifier(text) || is_hidden(hidden, *index));
        }
    }
    (varies, visible)
}

pub(super) fn is_hidden(hidden: &[Range<usize>], index: usize) -> bool {
    let next = hidden.partition_point(|range| range.end <= index);
    hidden.get(next).is_some_and(|range| range.start <= index)
}

/// For each identifier the declarations that mention it.
#[derive(Debug)]
pub(super) struct Mentions {
    /// The first entry in `entries` of each name, by the number of its symbol, plus one; 0 for none.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
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
        each(tokens, declaration, &[], |index, mention| {
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

    pub(super) fn of_name(&self, name: Symbol) -> impl Iterator<Item = Entry> {
        let mut next = self.heads.get(name.index()).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let entry = *self.entries.get((next as usize).checked_sub(1)?)?;
            next = entry.next;
            Some(entry)
        })
    }
}
