//! The decision whether an edit is quiet, and the dependencies after it.
//!
//! In: a newer text of a file. Out: how its places move, if the edit is quiet.

use std::ops::Range;
use std::sync::Arc;

use crate::analysis::session::shift::Shift;
use crate::facts::may_hand_on;
use crate::preprocess::PpToken;
use crate::source::{SourceFile, Span, Token, TokenKind, sym};
use crate::variance::{Ending, Known, TopDeclaration, ending, opens_braces};

use super::change::{Change, balanced, run_of, same_unterminated};
use super::dependencies::{EditableBody, FileDependencies};
use super::ends::each_ends;

impl FileDependencies {
    /// Follows the file to a newer text if what lies between is quiet.
    pub(in crate::analysis::session) fn follow(&mut self, new: &Arc<SourceFile>) -> Option<Shift> {
        let (before, after) = (self.file.text.as_bytes(), new.text.as_bytes());
        let shortest = before.len().min(after.len());
        let first = (0..shortest).find(|at| before[*at] != after[*at]).unwrap_or(shortest);
        let rest = shortest - first;
        let back = (0..rest).find(|back| before[before.len() - 1 - back] != after[after.len() - 1 - back]);
        let back = back.unwrap_or(rest);
        let (end, new_end) = (before.len() - back, after.len() - back);
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        if self.names.counts_lines && lines(&before[first..end]) != lines(&after[first..new_end]) {
            return None;
        }
        let run = run_of(&self.file, new, first, end)?;
        let shift = Shift {
            from: self.file.id,
            to: new.id,
            replaced: (first as u32, end as u32),
            length: (new_end - first) as u32,
        };
        let old = Arc::clone(&self.file);
        if !same_unterminated(&old, new, &shift) {
            return None;
        }
        let change = Change::between(old.run(run), new.run(run), &shift);
        let tokens = (change.old.len(), change.new.len());
        match tokens == (0, 0) && change.same_lines {
            true => self.replace(self.next_own(end), &[], 0, &shift),
            false => {
                let QuietChange { at, new, body, closed, firm } = self.quiet(&change)?;
                (self.bodies[body].closed, self.firm) = (closed, firm);
                self.replace(at, &new, change.old.len(), &shift);
                if let (Some(next), Some(token)) = (self.tokens.get_mut(at + new.len()), change.next)
                    && next.expansion.is_none()
                    && next.at.start == token.offset
                {
                    (next.line_start, next.space_before) = (token.line_start, token.space_before);
                }
            }
        }
        self.file = Arc::clone(new);
        Some(shift)
    }

    /// The index of the first token of the file's own from an offset on.
    fn next_own(&self, offset: usize) -> usize {
        self.tokens.partition_point(|own| (own.at.start as usize) < offset)
    }

    /// The change as it is made to the dependencies; `None` if some stage may notice it.
    fn quiet(&self, change: &Change<'_>) -> Option<QuietChange> {
        // Since the end of a statement, so that no macro's invocation reaches in.
        let ends = |token: &&Token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
        let left = change.before.iter().rev().position(|token| ends(&token))?;
        let before = &change.before[change.before.len() - left - 1..];
        let right =
            change.after.iter().position(|token| ends(&token)).map_or(change.after.len(), |at| at + 1);
        let after = &change.after[..right];
        let at = self.next_own(change.old.first().or(after.first())?.offset as usize);
        let range = at..at + change.old.len();
        let number = self.bodies.partition_point(|body| body.tokens.end <= range.end);
        let body = self.bodies.get(number).filter(|body| body.tokens.start < at)?;
        let neighbour = self.tokens.get(self.next_own(before[0].offset as usize))?;
        // The passes that have the text.
        let passes = neighbour.passes.and(self.names.compared);
        let as_written = |own: &PpToken, token: &Token| {
            own.expansion.is_none()
                && own.at.start == token.offset
                && own.text == token.text
                && own.group == neighbour.group
                && own.passes == neighbour.passes
        };
        let is_quiet = !self.names.unterminated
            && self.tokens.get(range.clone())?.iter().zip(change.old).all(|(own, old)| as_written(own, old))
            && as_written(neighbour, &before[0])
            && (passes == self.names.compared || !body.leads)
            && self.is_outside_macros(before)
            && after.first().is_none_or(|token| {
                let next = &self.tokens[range.end];
                as_written(next, token) || !self.is_plain(token) && next.at.start >= token.offset
            })
            && change.new.iter().all(|token| self.is_plain(token));
        if !is_quiet {
            return None;
        }
        let own = |token: &Token, offset: u32| PpToken {
            kind: token.kind,
            space_before: token.space_before,
            line_start: token.line_start,
            text: token.text,
            at: Span { file: neighbour.at.file, start: offset, end: offset + (token.end - token.offset) },
            expansion: None,
            ..*neighbour
        };
        let new: Vec<PpToken> = change.new.iter().map(|token| own(token, token.offset)).collect();
        let (closed, firm) = self.ends(body, &range, &new, change)?;
        let is_quiet = self.is_of_no_interest(body, &range, &new, change, [before, after])
            && self.leads_on(body, &range, &new, change);
        is_quiet.then_some(QuietChange { at, new, body: number, closed, firm })
    }

    /// Some of the file's own tokens with new ones in the place of those in `range`.
    fn edited(
        &self,
        of: &Range<usize>,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
    ) -> Vec<PpToken> {
        let old = &self.tokens[of.clone()];
        let (first, end) = (range.start - of.start, range.end - of.start);
        // Common tokens keep their places; new tokens get places that nothing else has.
        let apart = |token: &PpToken| PpToken {
            at: Span {
                start: token.at.start + (u32::MAX >> 1),
                end: token.at.end + (u32::MAX >> 1),
                ..token.at
            },
            ..*token
        };
        let mut edited: Vec<PpToken> = old[..first].to_vec();
        edited.extend(new.iter().map(apart));
        edited.extend_from_slice(&old[end..]);
        if let (Some(after), Some(token)) = (change.after.first(), change.next)
            && old[end].expansion.is_none()
            && old[end].at.start == after.offset
        {
            let next = &mut edited[first + new.len()];
            (next.line_start, next.space_before) = (token.line_start, token.space_before);
        }
        edited
    }

    /// The function leads to the same kernel templates with these tokens in the place of some.
    fn leads_on(
        &self,
        body: &EditableBody,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
    ) -> bool {
        let changed = change.old.iter().chain(change.new);
        let leads =
            body.leads || changed.into_iter().any(|token| self.names.reach.leads(token.kind, token.text));
        if !leads {
            return true;
        }
        let old = &self.tokens[body.whole.clone()];
        let edited = self.edited(&body.whole, range, new, change);
        let mut seen: Vec<(Vec<PpToken>, Vec<PpToken>)> = Vec::new();
        for pass in self.names.compared.iter() {
            let of = |tokens: &[PpToken]| -> Vec<PpToken> {
                let own = tokens.iter().filter(|token| token.passes.has(pass));
                own.map(|token| PpToken { passes: self.names.compared, ..*token }).collect()
            };
            let pair = (of(old), of(&edited));
            if seen.contains(&pair) {
                continue;
            }
            let head = &self.tokens[body.whole.start..body.tokens.start];
            let head = head.iter().filter(|token| token.passes.has(pass)).count();
            if body.whole == body.tokens || !self.names.reach.alike(&pair.0, &pair.1, head) {
                return false;
            }
            seen.push(pair);
        }
        true
    }

    /// No macro's invocation reaches from some tokens into what comes after them.
    fn is_outside_macros(&self, before: &[Token]) -> bool {
        let is_macro = |token: &Token| token.kind == TokenKind::Identifier && !self.is_plain(token);
        let mut open: Vec<bool> = Vec::new();
        let mut last = None;
        for token in before {
            match token.text {
                sym::LPAREN => open.push(last.is_some_and(is_macro)),
                sym::RPAREN => drop(open.pop()),
                _ => {}
            }
            last = Some(token);
        }
        !open.contains(&true) && !last.is_some_and(is_macro)
    }

    /// Preprocessing leaves the token as it is.
    fn is_plain(&self, token: &Token) -> bool {
        let text = token.text.as_str();
        match token.kind {
            TokenKind::Identifier => {
                // Macros and operators that preprocessors and compilers define.
                let reserved = text.strip_prefix("__").is_some_and(|rest| {
                    rest.starts_with(|first: char| first.is_ascii_uppercase())
                        || rest.starts_with("has_")
                        || rest == "pragma"
                });
                !reserved && text != "_Pragma" && !self.names.macros.contains(&token.text)
            }
            // Ended for sure, and without a suffix that may be a macro's name.
            TokenKind::String => {
                text.matches('"').count() == 2 && text.ends_with('"') && !text.ends_with("\\\"")
            }
            TokenKind::Character => text.matches('\'').count() == 2 && text.ends_with('\''),
            TokenKind::Number | TokenKind::Punctuator => true,
            // A quote without its partner takes the rest of its line, whatever it holds.
            TokenKind::Other => text.starts_with(['"', '\'']),
        }
    }

    /// No stage looks at the statements of the change, nor would it because of the new tokens.
    fn is_of_no_interest(
        &self,
        body: &EditableBody,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
        [before, after]: [&[Token]; 2],
    ) -> bool {
        let mut around = before.iter().chain(change.old).chain(change.new).chain(after);
        // A using-directive affects name lookup in the function's head too.
        if around.any(|token| token.text == sym::USING || self.names.watched.contains(&token.text)) {
            return false;
        }
        let old = &self.tokens[body.whole.clone()];
        let edited = self.edited(&body.whole, range, new, change);
        let varying = |tokens: &[PpToken], function: &TopDeclaration| {
            let whole = 0..tokens.len();
            let function =
                TopDeclaration { tokens: whole.clone(), known: Known::default(), ..function.clone() };
            self.names.varying.mentions(tokens, &function, whole)
        };
        let varies = body.function.as_ref().map(|function| varying(&edited, function));
        let head = body.tokens.start - body.whole.start;
        // Parameters of a head in another file may hide varying names.
        let may_vary =
            |index: usize| varies.as_ref().is_none_or(|these| these.binary_search(&(head + index)).is_ok());
        let constants = &self.names.constants;
        let has_some = !constants.values.is_empty() || !constants.functions.is_empty();
        if has_some && may_hand_on(&edited[head..], constants, may_vary) {
            return false;
        }
        if body.may_vary {
            let before = body.function.as_ref().map(|function| varying(old, function).is_empty());
            if before.is_none() || before != varies.map(|these| these.is_empty()) {
                return false;
            }
        }
        // Code behind an `if` may never run.
        let sure = |tokens: &[PpToken]| {
            let sure = tokens.iter().take_while(|token| token.text != sym::IF);
            sure.filter(|token| self.names.watched.contains(&token.text)).count()
        };
        !body.watched || sure(old) == sure(&edited)
    }

    /// Puts tokens in the place of `old` others from `at` on, and moves those after them.
    fn replace(&mut self, at: usize, new: &[PpToken], old: usize, shift: &Shift) {
        for own in self.tokens.iter_mut().filter(|own| own.at.start >= shift.replaced.1) {
            for offset in [&mut own.at.start, &mut own.at.end] {
                *offset = *offset - shift.replaced.1 + shift.replaced.0 + shift.length;
            }
        }
        self.tokens.splice(at..at + old, new.iter().copied());
        for body in &mut self.bodies {
            let ends =
                [&mut body.tokens.start, &mut body.tokens.end, &mut body.whole.start, &mut body.whole.end];
            for index in ends {
                if *index > at {
                    *index = *index - old + new.len();
                }
            }
        }
    }

    /// Whether a function closes its braces with these tokens in the place of some, and whether all ends of the file
    /// are firm then; `None` if the file may be cut in another way.
    fn ends(
        &self,
        body: &EditableBody,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
    ) -> Option<(bool, bool)> {
        let compared = self.names.compared;
        let head = body.tokens.start - body.whole.start;
        let edited = self.edited(&body.whole, range, new, change);
        let ends = match body.whole == body.tokens {
            true => None,
            false => each_ends(&edited, compared, |pass| ending(&edited, head, pass)),
        };
        if balanced(change.old) && balanced(change.new) && !opens_braces(&self.tokens, compared) {
            return Some((body.closed, self.firm && ends.is_some()));
        }
        let closed = ends? == Ending::Closed;
        let others = || self.bodies.iter().filter(|other| other.whole != body.whole);
        let edited = self.tokens[..range.start].iter().chain(new).chain(&self.tokens[range.end..]);
        let told = closed && others().all(|other| other.closed) || opens_braces(edited, compared);
        (self.firm && told).then_some((closed, true))
    }
}

/// A change that no stage would notice.
struct QuietChange {
    /// The index of the first own token that it replaces.
    at: usize,
    /// The tokens in their place.
    new: Vec<PpToken>,
    /// The number of the body that it is in, and whether that closes its braces.
    body: usize,
    closed: bool,
    /// All ends of the file are firm.
    firm: bool,
}
