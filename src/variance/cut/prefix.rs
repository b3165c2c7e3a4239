//! The cut of a unit's tokens into top-level declarations, and the cut of its first tokens, from which the cut of the
//! next text of the unit goes on.
//!
//! In: tokens and the passes that are compared; a [`CutPrefix`] of an earlier text. Out: [`Cut`].

use rustc_hash::FxHashSet;

use crate::preprocess::{Piece, PpToken};
use crate::source::FileId;
use crate::target::PassSet;

use super::cutter::Cutter;
use super::declarations::{Scope, TopDeclaration};
use super::known::KnownCuts;
use super::state::{Class, State};
use super::unclosed::Braces;

/// Every declaration of a unit, and every scope.
pub(in crate::variance) struct Cut {
    /// The declarations, ordered by first token, then by lowest pass.
    pub(in crate::variance) declarations: Vec<TopDeclaration>,
    /// Every scope; index 0 is the global namespace.
    pub(in crate::variance) scopes: Vec<Scope>,
}

/// The cut of a unit's first tokens, up to a place between two declarations.
#[derive(Clone, Debug)]
pub(in crate::variance) struct CutPrefix {
    /// The number of tokens.
    pub(in crate::variance) tokens: usize,
    /// The passes that were compared.
    pub(in crate::variance) all: PassSet,
    /// The declarations that have ended.
    pub(in crate::variance) declarations: Vec<TopDeclaration>,
    classes: Vec<Class>,
    scopes: Vec<Scope>,
    /// The braces of these tokens, and the files that were known to leave some open.
    braces: Braces,
    unclosed: FxHashSet<FileId>,
}

impl CutPrefix {
    /// The cut of no tokens.
    fn empty(all: PassSet) -> CutPrefix {
        let global = Scope { parent: None, name: None, inline: false, unnamed: false, extern_c: false };
        CutPrefix {
            tokens: 0,
            all,
            declarations: Vec::new(),
            classes: vec![Class { passes: all, state: State::between(Vec::new()), uneven: false }],
            scopes: vec![global],
            braces: Braces::default(),
            unclosed: FxHashSet::default(),
        }
    }

    /// A cut for the passes in `all` begins with it: its files leave braces open as they did, where those of all tokens
    /// that leave some open are `unclosed`.
    fn stands(&self, unclosed: &FxHashSet<FileId>, all: PassSet) -> bool {
        self.all == all && self.braces.same_files(&self.unclosed, unclosed)
    }

    /// The files of all these tokens that leave braces open.
    fn unclosed_with(&self, tokens: &[PpToken]) -> FxHashSet<FileId> {
        let mut braces = self.braces.clone();
        braces.count(&tokens[self.tokens..], self.all);
        braces.unclosed()
    }
}

/// Cuts `tokens` into the declarations of the passes in `all`, which [`Piece`]s of have been cut before, going on from a prefix; `None` if it does not
/// [stand](CutPrefix::stands). If `keep` is between two declarations, the cut of that many tokens is given too.
pub(in crate::variance) fn cut(
    tokens: &[PpToken],
    pieces: &[Piece],
    all: PassSet,
    prefix: Option<&CutPrefix>,
    keep: Option<usize>,
) -> Option<(Cut, Option<CutPrefix>)> {
    let empty = CutPrefix::empty(all);
    let prefix = prefix.unwrap_or(&empty);
    let unclosed = prefix.unclosed_with(tokens);
    if !prefix.stands(&unclosed, all) {
        return None;
    }
    let prefix = prefix.clone();
    let CutPrefix { tokens: first, mut classes, scopes, declarations, mut braces, .. } = prefix;
    let mut known = KnownCuts::new(tokens, all, pieces, unclosed.clone());
    let mut cutter = Cutter::new(tokens, scopes, declarations, unclosed);
    let mut kept = None;
    if !all.is_empty() {
        let middle = keep.filter(|keep| (first..tokens.len()).contains(keep)).unwrap_or(first);
        cutter.walk(&mut classes, first..middle, &mut known);
        if Some(middle) == keep && cutter.is_between(&classes, middle) {
            braces.count(&tokens[first..middle], all);
            kept = Some(CutPrefix {
                tokens: middle,
                all,
                declarations: cutter.declarations.clone(),
                classes: classes.clone(),
                scopes: cutter.scopes.clone(),
                braces,
                unclosed: cutter.unclosed.clone(),
            });
        }
        cutter.walk(&mut classes, middle..tokens.len(), &mut known);
        for class in &mut classes {
            cutter.finish(class, tokens.len());
        }
        known.keep();
    }
    let Cutter { mut declarations, scopes, .. } = cutter;
    declarations.sort_by_key(|declaration| (declaration.tokens.start, declaration.passes.lowest()));
    Some((Cut { declarations, scopes }, kept))
}
