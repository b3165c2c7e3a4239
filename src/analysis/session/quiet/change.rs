//! An edit between two texts of a file: the run of text it lies in, and the tokens it changes.

use crate::analysis::session::shift::Shift;
use crate::source::{SourceFile, Span, Token, Unterminated, sym};

/// The number of the text between directives that an edit lies in, if all else is the same.
pub(super) fn run_of(old: &SourceFile, new: &SourceFile, first: usize, end: usize) -> Option<usize> {
    let runs = old.sections().directives() + 1;
    if new.sections().directives() + 1 != runs {
        return None;
    }
    let part = |file: &SourceFile, run: usize| {
        let text = file.run_text(run);
        let start = text.as_ptr() as usize - file.text.as_ptr() as usize;
        start..start + text.len()
    };
    // The last run that begins before the edit: a directive would have to end there too.
    let run = (0..runs).rev().find(|run| part(old, *run).start <= first)?;
    let (was, is) = (part(old, run), part(new, run));
    let longer = |offset: usize| offset + new.text.len() == is.end + old.text.len();
    let same = end <= was.end
        && was.start == is.start
        && longer(was.end)
        && (0..run).all(|run| part(old, run) == part(new, run))
        && (run + 1..runs).all(|run| {
            let (was, is) = (part(old, run), part(new, run));
            was.len() == is.len() && is.start + old.text.len() == was.start + new.text.len()
        });
    same.then_some(run)
}

/// Whether the same comments and literals are not closed in both texts: they are problems with places.
pub(super) fn same_unterminated(old: &SourceFile, new: &SourceFile, shift: &Shift) -> bool {
    let (was, is) = (old.sections().unterminated(), new.sections().unterminated());
    let moved = |one: &Unterminated| shift.span(Span { file: shift.from, start: one.start, end: one.end });
    let place = |one: &Unterminated| Some(Span { file: shift.to, start: one.start, end: one.end });
    let same = |(was, is): (&Unterminated, &Unterminated)| was.kind == is.kind && moved(was) == place(is);
    was.len() == is.len() && was.iter().zip(is).all(same)
}

/// The tokens of a run of text, as an edit parts them.
pub(super) struct Change<'t> {
    /// The tokens before it, of the old text.
    pub(super) before: &'t [Token],
    /// The tokens it replaced.
    pub(super) old: &'t [Token],
    /// The tokens in their place.
    pub(super) new: &'t [Token],
    /// The tokens after it, of the old text.
    pub(super) after: &'t [Token],
    /// The tokens after it begin lines where they did.
    pub(super) same_lines: bool,
    /// The first of them in the new text.
    pub(super) next: Option<&'t Token>,
}

impl<'t> Change<'t> {
    pub(super) fn between(old: &'t [Token], new: &'t [Token], shift: &Shift) -> Change<'t> {
        let same = |old: &Token, new: &Token| {
            old.kind == new.kind && old.text == new.text && old.end - old.offset == new.end - new.offset
        };
        let (first, end) = shift.replaced;
        let front =
            |(old, new): &(&Token, &Token)| old.end <= first && same(old, new) && old.offset == new.offset;
        let before = old.iter().zip(new).take_while(front).count();
        let back = |(old, new): &(&Token, &Token)| {
            old.offset >= end && same(old, new) && old.offset - end + first + shift.length == new.offset
        };
        let rests = (old[before..].iter().rev(), new[before..].iter().rev());
        let after = rests.0.zip(rests.1).take_while(back).count();
        let (old_end, new_end) = (old.len() - after, new.len() - after);
        let lines = |tokens: &[Token]| tokens.first().map(|token| (token.line_start, token.space_before));
        Change {
            before: &old[..before],
            old: &old[before..old_end],
            new: &new[before..new_end],
            after: &old[old_end..],
            same_lines: lines(&old[old_end..]) == lines(&new[new_end..]),
            next: new.get(new_end),
        }
    }
}

/// Every brace among the tokens has its partner there.
pub(super) fn balanced(tokens: &[Token]) -> bool {
    let mut open = 0_i32;
    for token in tokens {
        open += i32::from(token.text == sym::LBRACE) - i32::from(token.text == sym::RBRACE);
        if open < 0 {
            return false;
        }
    }
    open == 0
}
