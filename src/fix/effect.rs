//! The tokens that edits take from each pass of a unit, and those that they add.
//!
//! In: a unit before and after the edits. Out: an [`Effect`] for each pass. A token is the same as before when it comes
//! from the same place in the sources, whatever that place moved to: two equal texts are not taken for each other.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::finding::Edit;
use crate::preprocess::PpToken;
use crate::source::{FileId, Loc, Symbol, TokenKind, sym};

use super::code::UnitCode;

/// What edits do to the tokens of one pass: indices into the tokens of the unit, ascending.
#[derive(Default, Debug)]
pub(super) struct Effect {
    /// Those that were there before, among the tokens before.
    pub(super) lost: Vec<usize>,
    /// Those that were not, among the tokens after.
    pub(super) added: Vec<usize>,
}

/// A unit before and after some edits.
pub(super) struct Edited<'e> {
    pub(super) before: &'e UnitCode,
    pub(super) after: &'e UnitCode,
    moves: Moves<'e>,
    /// The tokens between those that both begin with and those that both end with, in every pass.
    changed: (Range<usize>, Range<usize>),
}

impl<'e> Edited<'e> {
    pub(super) fn new(before: &'e UnitCode, after: &'e UnitCode, edits: &'e [Edit]) -> Edited<'e> {
        let moves = Moves::new(before, after, edits);
        let (old, new) = (before.tokens(), after.tokens());
        let same = |old: &PpToken, new: &PpToken| {
            old.passes == new.passes
                && old.text == new.text
                && moves.place_before(old) == Some(moves.place_after(new))
        };
        let first = old.iter().zip(new).take_while(|(old, new)| same(old, new)).count();
        let rest = old[first..].iter().rev().zip(new[first..].iter().rev());
        let last = rest.take_while(|(old, new)| same(old, new)).count();
        let changed = (first..old.len() - last, first..new.len() - last);
        Edited { before, after, moves, changed }
    }

    /// The effect on a pass.
    pub(super) fn on(&self, pass: usize) -> Effect {
        let (before, after) = &self.changed;
        let old: Vec<usize> = self.before.of_pass(before.clone(), pass).collect();
        let new: Vec<usize> = self.after.of_pass(after.clone(), pass).collect();
        let old_texts = old.iter().map(|index| text(self.before, *index));
        if old_texts.eq(new.iter().map(|index| text(self.after, *index))) {
            return Effect::default();
        }
        let mut numbers: FxHashMap<(Place, Symbol), u32> = FxHashMap::default();
        let mut number = |key: (Place, Symbol)| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let new_keys: Vec<u32> = new
            .iter()
            .map(|index| {
                let token = self.after.preprocessed.token_of(*index, pass);
                number((self.moves.place_after(token), text(self.after, *index)))
            })
            .collect();
        let old_keys: Vec<u32> = old
            .iter()
            .map(|index| match self.moves.place_before(self.before.preprocessed.token_of(*index, pass)) {
                Some(place) => number((place, text(self.before, *index))),
                None => u32::MAX,
            })
            .collect();
        let mut effect = Effect::default();
        for operation in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
            if !matches!(operation, DiffOp::Equal { .. }) {
                effect.lost.extend(&old[operation.old_range()]);
                effect.added.extend(&new[operation.new_range()]);
            }
        }
        effect
    }
}

/// The spelling of a token; none of what only says on which line it stands.
fn text(code: &UnitCode, index: usize) -> Symbol {
    let token = &code.tokens()[index];
    let says_line = || {
        let file = code.files.get(&token.spelled.file);
        let written = file.and_then(|file| file.text.get(token.spelled.offset as usize..));
        written.is_some_and(|written| written.starts_with(sym::LINE_MACRO.as_str()))
    };
    if token.kind == TokenKind::Number && says_line() { sym::EMPTY } else { token.text }
}

/// Where a token's characters stand and where a reader finds it, in the edited texts.
type Place = (InFile, u32, InFile, u32);

/// A file, before edits and after them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum InFile {
    /// One that is edited, by number.
    Edited(usize),
    Other(FileId),
}

/// The ways of places through edits.
struct Moves<'e> {
    /// The number and the edits of each edited file, by its ids before and after.
    edited: FxHashMap<FileId, (usize, Arc<Vec<&'e Edit>>)>,
    after: FxHashMap<FileId, usize>,
}

impl<'e> Moves<'e> {
    fn new(before: &UnitCode, after: &UnitCode, edits: &'e [Edit]) -> Moves<'e> {
        let mut by_path: Vec<(&PathBuf, Vec<&Edit>)> = Vec::new();
        for edit in edits {
            match by_path.iter_mut().find(|(path, _)| *path == &edit.path) {
                Some((_, known)) => known.push(edit),
                None => by_path.push((&edit.path, vec![edit])),
            }
        }
        let mut moves = Moves { edited: FxHashMap::default(), after: FxHashMap::default() };
        for (number, (path, mut edits)) in by_path.into_iter().enumerate() {
            edits.sort();
            let edits = Arc::new(edits);
            let ids = |code: &UnitCode| -> Vec<FileId> {
                let named = code.files.iter().filter(|(_, file)| file.path == *path);
                named.map(|(id, _)| *id).collect()
            };
            moves.edited.extend(ids(before).into_iter().map(|id| (id, (number, Arc::clone(&edits)))));
            moves.after.extend(ids(after).into_iter().map(|id| (id, number)));
        }
        moves
    }

    /// Where a token from before the edits stands after them; `None` if it was replaced.
    fn place_before(&self, token: &PpToken) -> Option<Place> {
        let moved = |file: FileId, offset: u32| match self.edited.get(&file) {
            Some((number, edits)) => Some((InFile::Edited(*number), moved(offset, edits)?)),
            None => Some((InFile::Other(file), offset)),
        };
        let (file, offset) = moved(token.spelled.file, token.spelled.offset)?;
        let (shown_in, shown_at) = moved(token.at.file, token.at.start)?;
        Some((file, offset, shown_in, shown_at))
    }

    fn place_after(&self, token: &PpToken) -> Place {
        let known = |file: FileId| {
            self.after.get(&file).map_or(InFile::Other(file), |number| InFile::Edited(*number))
        };
        let Loc { file, offset } = token.spelled;
        (known(file), offset, known(token.at.file), token.at.start)
    }
}

/// Where an offset is after the edits of its file; `None` if it was replaced.
fn moved(offset: u32, edits: &[&Edit]) -> Option<u32> {
    let mut at = i64::from(offset);
    for edit in edits {
        if offset as usize >= edit.end {
            at += edit.text.len() as i64 - (edit.end - edit.start) as i64;
        } else if offset as usize >= edit.start {
            return None;
        }
    }
    u32::try_from(at).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn offsets_move_with_the_text() {
        let edit = |start: usize, end: usize, text: &str| Edit {
            path: Path::new("a.cu").into(),
            start,
            end,
            text: text.into(),
        };
        let edits = [edit(2, 2, "new"), edit(5, 8, "")];
        let edits: Vec<&Edit> = edits.iter().collect();
        let at = |offset| moved(offset, &edits);
        assert_eq!(
            [at(1), at(2), at(4), at(5), at(7), at(8)],
            [Some(1), Some(5), Some(7), None, None, Some(8)]
        );
    }
}
