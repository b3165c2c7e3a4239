//! How the tokens of headers are cut, kept with the readings of these: each declaration of a header is cut once for all
//! units that have the same reading.
//!
//! In: the [`Piece`]s of a unit. Out: [`KnownCuts`], which the cutter asks at each token between two declarations, and which
//! keeps what the cutter found.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::preprocess::{Piece, PpToken};
use crate::source::{FileId, sym};
use crate::target::PassSet;

use super::declarations::{Known, ScopeId, TopDeclaration};
use super::state::Class;

/// The cut of a reading's own tokens, for the passes that are compared.
struct ReadingCut {
    all: PassSet,
    /// In order.
    runs: Box<[Run]>,
}

/// Tokens in a row from one place between two declarations to the next.
struct Run {
    /// The indices among the reading's own tokens.
    tokens: Range<u32>,
    /// The declarations that these make, as if the first token were the first of a unit, in no scope.
    declarations: Box<[TopDeclaration]>,
}

/// The cuts of the readings of a unit.
pub(super) struct KnownCuts<'t> {
    tokens: &'t [PpToken],
    all: PassSet,
    pieces: &'t [Piece],
    /// The files that leave braces open: where a declaration of theirs ends depends on the rest of the unit too.
    unclosed: FxHashSet<FileId>,
    /// The piece at hand, and the next of the runs that are known of its reading.
    piece: usize,
    run: usize,
    /// The runs that were found, each with the piece that it is in.
    found: Vec<(usize, Run)>,
    /// The place between two declarations that was met last, while nothing but a run can have begun there.
    begun: Option<Begun>,
}

/// Where a run may begin.
struct Begun {
    index: usize,
    /// How many declarations had ended.
    declarations: usize,
    scopes: Vec<ScopeId>,
}

impl<'t> KnownCuts<'t> {
    pub(super) fn new(
        tokens: &'t [PpToken],
        all: PassSet,
        pieces: &'t [Piece],
        unclosed: FxHashSet<FileId>,
    ) -> KnownCuts<'t> {
        KnownCuts { tokens, all, pieces, unclosed, piece: 0, run: 0, found: Vec::new(), begun: None }
    }

    /// Some tokens are of a file that leaves braces open.
    fn are_unclosed(&self, tokens: Range<usize>) -> bool {
        !self.unclosed.is_empty()
            && self.tokens[tokens].iter().any(|token| self.unclosed.contains(&token.at.file))
    }

    /// The piece that a token is of. Tokens are asked about in order.
    fn piece_of(&mut self, index: usize) -> Option<&'t Piece> {
        while self.pieces.get(self.piece)?.tokens.end <= index {
            (self.piece, self.run) = (self.piece + 1, 0);
        }
        Some(&self.pieces[self.piece]).filter(|piece| piece.tokens.start <= index)
    }

    /// The token stands between two declarations of all passes, in a piece.
    fn is_between(&mut self, classes: &[Class], index: usize) -> Option<&'t Piece> {
        let [class] = classes else { return None };
        if class.state.start.is_some() || class.passes != self.all || class.uneven {
            return None;
        }
        let before = index.checked_sub(1).map_or(sym::SEMI, |before| self.tokens[before].text);
        if !matches!(before, sym::SEMI | sym::LBRACE | sym::RBRACE) {
            return None;
        }
        self.piece_of(index)
    }

    /// Where the run ends that begins at a token, and its declarations, if it is known. Else one may begin there, when
    /// `declarations` have ended.
    pub(super) fn at(
        &mut self,
        classes: &[Class],
        index: usize,
        declarations: usize,
    ) -> Option<(usize, impl Iterator<Item = TopDeclaration> + use<'t>)> {
        self.begun = None;
        let piece = self.is_between(classes, index)?;
        let state = &classes[0].state;
        let known = piece.cut().get::<ReadingCut>().filter(|known| known.all == self.all);
        let Some(known) = known else {
            self.begun = Some(Begun { index, declarations, scopes: state.scopes.clone() });
            return None;
        };
        let from = (index - piece.tokens.start + piece.from) as u32;
        self.run += known.runs[self.run..].partition_point(|run| run.tokens.start < from);
        let run = known.runs.get(self.run).filter(|run| run.tokens.start == from)?;
        let end = index + run.tokens.len();
        let scope = state.scope();
        (end <= piece.tokens.end && !self.are_unclosed(index..end))
            .then(|| (end, run.declarations.iter().map(move |one| moved(one, index, scope))))
    }

    /// Notes that the token was cut. If it ended a run, its declarations are kept.
    pub(super) fn step(&mut self, classes: &[Class], index: usize, declarations: &mut [TopDeclaration]) {
        let [class] = classes else { return };
        if class.state.start.is_some() {
            return;
        }
        let Some(begun) = self.begun.take() else { return };
        let piece = &self.pieces[self.piece];
        let made = &mut declarations[begun.declarations..];
        let is_run = class.passes == self.all
            && !class.uneven
            && class.state.scopes == begun.scopes
            && index < piece.tokens.end
            && matches!(self.tokens[index].text, sym::SEMI | sym::RBRACE)
            && made.iter().any(|one| one.tokens.end == index + 1)
            && made.iter().all(|one| one.scope == class.state.scope() && one.unclosed.is_none())
            && !self.are_unclosed(begun.index..index + 1)
            // Handlers may follow a function try block.
            && !self.tokens[begun.index..=index].iter().any(|token| token.text == sym::TRY);
        if !is_run {
            return;
        }
        made.iter_mut().for_each(|one| one.known = Known(Some(Arc::default())));
        let declarations = made.iter().map(|one| relative(one, begun.index)).collect();
        let from = (begun.index - piece.tokens.start + piece.from) as u32;
        let tokens = from..from + (index + 1 - begun.index) as u32;
        self.found.push((self.piece, Run { tokens, declarations }));
    }

    /// Keeps what was found with the readings.
    pub(super) fn keep(self) {
        let KnownCuts { all, pieces, mut found, .. } = self;
        let address = |piece: usize| pieces[piece].reading_address();
        found.sort_by_key(|(piece, run)| (address(*piece), run.tokens.start));
        let mut rest = found.into_iter().peekable();
        while let Some((piece, first)) = rest.next() {
            let mut runs = vec![first];
            while let Some((_, run)) = rest.next_if(|(other, _)| address(*other) == address(piece)) {
                // A unit may have a reading twice.
                if run.tokens.start >= runs.last().map_or(0, |last: &Run| last.tokens.end) {
                    runs.push(run);
                }
            }
            pieces[piece].cut().set(ReadingCut { all, runs: runs.into() });
        }
    }
}

/// A declaration in a scope, with indices of tokens that are higher by some.
fn moved(one: &TopDeclaration, by: usize, scope: ScopeId) -> TopDeclaration {
    let moved = |range: &Range<usize>| range.start + by..range.end + by;
    TopDeclaration {
        tokens: moved(&one.tokens),
        body: one.body + by,
        class_body: moved(&one.class_body),
        scope,
        ..one.clone()
    }
}

/// The same declaration in no scope, with indices that count from a token.
fn relative(one: &TopDeclaration, first: usize) -> TopDeclaration {
    let moved = |range: &Range<usize>| range.start - first..range.end - first;
    TopDeclaration {
        tokens: moved(&one.tokens),
        body: one.body - first,
        class_body: moved(&one.class_body),
        scope: ScopeId::GLOBAL,
        ..one.clone()
    }
}
