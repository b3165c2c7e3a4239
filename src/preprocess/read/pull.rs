//! Tokens pulled from the source, and expanded for each pass in the order of its text.
//!
//! In: the source, token by token. Out: emitted tokens. Each pass sees its text expanded and the directives between
//! executed in the order in which a walk for that pass alone would do it.
//!
//! **No directive is executed while a pass has text before it to expand**: text counts `__COUNTER__`, and its
//! `_Pragma` pushes and pops macros. An invocation that reaches a directive while other passes have text waiting gives
//! up and is begun again once they have caught up; passes that wait for the same directive go over it together. The
//! effects that such an invocation had until then stay carried out, and are not carried out again.

use crate::preprocess::expand::effects::{Effects, Split, all_or_none};
use crate::preprocess::expand::host::{Invoked, Peek, Raw, TokenSource};
use crate::preprocess::expand::pragma::Pragma;
use crate::preprocess::expand::reader::Expander;
use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::problem::ProblemKind;
use crate::source::{Loc, Span, Symbol, TokenKind, UnterminatedKind, lex, sym};
use crate::target::PassSet;

use super::cursor::{Frame, WORK_LIMIT, WORK_OF_DIRECTIVE, WORK_OF_MADE};
use super::directives::directive;
use super::effects::carry_out;
use super::enter::{abandon, leave};
use super::pending::Suspended;
use super::walk::Walk;

/// The outcome of a step through the source.
pub(crate) enum Pulled {
    /// A token was pulled.
    Token(Raw),
    /// A directive, the end of a file or dead text was passed.
    Passed,
    /// The unit has ended.
    End,
}

/// The next thing in the source.
enum Ahead {
    /// No pass may pass it while it has text before it: a directive, the end of an included file, a literal whose
    /// suffix may be a macro's name.
    Barrier,
    Text,
    /// The end of the file that an invocation began in.
    End,
}

/// The source behind an invocation in the text of a file.
struct Text;

// ---- pulling ----

/// Pulls the next token of the source, or passes what stands before it.
pub(crate) fn step(walk: &mut Walk<'_>) -> Pulled {
    if is_too_much(walk) {
        return Pulled::End;
    }
    let depth = walk.cursor.frames.len();
    let dead = walk.cursor.live.is_empty();
    let left_out = !dead && leaves_out(walk);
    let cursor = &mut walk.cursor;
    let Some(frame) = cursor.frames.last_mut() else { return Pulled::End };
    if dead || frame.macros_only || left_out {
        frame.next = Frame::PASSED;
    }
    let Some(token) = frame.token() else {
        if !dead && !frame.macros_only {
            note_unterminated_literals(walk);
        }
        let cursor = &mut walk.cursor;
        if cursor.frames.last().is_some_and(Frame::has_directive) {
            cursor.directive_seen = true;
            cursor.work += WORK_OF_DIRECTIVE;
            directive(walk);
        } else {
            leave(walk);
        }
        return Pulled::Passed;
    };
    let token = Tok::new(token, frame.file.id, cursor.group);
    frame.next += 1;
    cursor.work += 1;
    let cursor = &mut walk.cursor;
    let after_directive = std::mem::take(&mut cursor.directive_seen);
    let lowest = std::mem::replace(&mut cursor.lowest, usize::MAX).min(depth);
    let set = cursor.live;
    let mut raw = Raw { token, set, after_directive, depth, lowest, moment: walk.moment() };
    if matches!(token.kind, TokenKind::String | TokenKind::Character) {
        cut_suffix(walk, &mut raw);
    }
    Pulled::Token(raw)
}

/// Records the literals that are not closed in the text before the next directive.
fn note_unterminated_literals(walk: &mut Walk<'_>) {
    let Some(frame) = walk.cursor.frames.last() else { return };
    for (kind, at) in frame.file.unterminated_literals(frame.section) {
        let kind = match kind {
            UnterminatedKind::Comment => ProblemKind::UnterminatedComment,
            UnterminatedKind::RawString => ProblemKind::UnterminatedRawString,
            UnterminatedKind::Literal => ProblemKind::UnterminatedLiteral,
        };
        walk.recorder.problem(kind, at, walk.cursor.live);
    }
}

/// Whether the survey may leave out the text that comes next.
fn leaves_out(walk: &Walk<'_>) -> bool {
    let (Some(survey), Some(frame)) = (&walk.survey, walk.cursor.frames.last()) else { return false };
    walk.pending.is_empty() && frame.next == 0 && !survey.acts(frame.file.run_text(frame.section))
}

/// Whether the work is more than a unit may take; if so, the rest of the unit is left out.
fn is_too_much(walk: &mut Walk<'_>) -> bool {
    let Some(frame) = walk.cursor.frames.last() else { return false };
    if walk.cursor.work <= WORK_LIMIT {
        return false;
    }
    let at = Span { file: frame.file.id, start: 0, end: 0 };
    walk.recorder.problem(ProblemKind::WorkLimit(WORK_LIMIT), at, walk.cursor.passes);
    abandon(walk);
    true
}

/// How many more tokens may be read; one more than that ends the unit.
pub(crate) fn tokens_left(walk: &Walk<'_>) -> usize {
    (WORK_LIMIT + 1).saturating_sub(walk.cursor.work)
}

/// `"%" PRIu64` written without the blank: a suffix that is a macro's name, and could not be a
/// user's, is no suffix but the next token. Like GCC.
fn cut_suffix(walk: &mut Walk<'_>, raw: &mut Raw) {
    let text = raw.token.text.as_str();
    let Some(close) = text.rfind(['"', '\'']) else { return };
    let suffix = &text[close + 1..];
    let mut bytes = suffix.bytes();
    if suffix.is_empty() || bytes.next() == Some(b'_') && bytes.next() != Some(b'_') {
        return;
    }
    let suffix = Symbol::intern(suffix);
    let cases = walk.macros.table.look_up(suffix);
    let cut = cases.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes)).and(raw.set);
    if cut.is_empty() {
        return;
    }
    // The passes to which it is a suffix keep the literal whole.
    let depth = raw.depth;
    let whole = Raw { set: raw.set.minus(cut), after_directive: false, lowest: depth, ..*raw };
    raw.set = cut;
    let token = &mut raw.token;
    let split = token.at.end - suffix.as_str().len() as u32;
    let rest = Tok {
        kind: TokenKind::Identifier,
        text: suffix,
        space: false,
        line_start: false,
        at: Span { start: split, ..token.at },
        spelled: Loc { offset: split, ..token.spelled },
        ..*token
    };
    token.text = Symbol::intern(&text[..=close]);
    token.at.end = split;
    walk.pending.tokens.push_back(Raw { token: rest, after_directive: false, lowest: depth, ..*raw });
    if !whole.set.is_empty() {
        walk.pending.tokens.push_back(whole);
    }
}

/// A step, with the token that it pulls put into the buffer.
fn read_on(walk: &mut Walk<'_>) {
    // A literal whose suffix is cut puts the suffix there itself.
    let end = walk.pending.tokens.len();
    if let Pulled::Token(raw) = step(walk) {
        walk.pending.tokens.insert(end, raw);
    }
    let pending = &mut walk.pending;
    pending.awaited = pending.tokens.iter().skip(end).fold(pending.awaited, |all, raw| all.or(raw.set));
}

fn next_ahead(walk: &Walk<'_>, floor: usize) -> Ahead {
    let cursor = &walk.cursor;
    let Some(frame) = cursor.frames.last() else { return Ahead::End };
    if cursor.live.is_empty() || frame.macros_only {
        let end = !frame.has_directive() && cursor.frames.len() <= floor;
        return if end { Ahead::End } else { Ahead::Barrier };
    }
    match frame.token() {
        None if frame.has_directive() || cursor.frames.len() > floor => Ahead::Barrier,
        None => Ahead::End,
        Some(token) if frame.has_suffix(token) => Ahead::Barrier,
        Some(_) => Ahead::Text,
    }
}

impl<'u> TokenSource<Walk<'u>> for Text {
    fn next(walk: &mut Walk<'u>, invoked: Invoked, effects: &mut Effects) -> Result<Option<Raw>, Split> {
        let Invoked { set, floor, at } = invoked;
        let mut used = effects.used;
        loop {
            while used >= walk.pending.tokens.len() {
                if walk.cursor.lowest < floor || all_or_none(set, walk.cursor.stopped)? {
                    return Ok(None);
                }
                match next_ahead(walk, floor) {
                    Ahead::End => return Ok(None),
                    Ahead::Barrier if !set.contains(walk.pending.awaited) => return Err(Split(set)),
                    Ahead::Barrier => settle(walk, effects, set, at),
                    Ahead::Text => {}
                }
                read_on(walk);
            }
            let raw = walk.pending.tokens[used];
            if raw.lowest < floor {
                return Ok(None);
            }
            used += 1;
            if all_or_none(set, raw.set)? {
                effects.used = used;
                return Ok(Some(raw));
            }
        }
    }

    fn peek(walk: &mut Walk<'u>, used: usize, set: PassSet, floor: usize) -> Result<Peek, Split> {
        for raw in walk.pending.tokens.iter().skip(used) {
            if raw.after_directive || raw.lowest < floor {
                return Ok(Peek::Other);
            }
            if all_or_none(set, raw.set)? {
                let open = raw.token.is(sym::LPAREN);
                return Ok(if open { Peek::Parenthesis } else { Peek::Other });
            }
        }
        let cursor = &walk.cursor;
        if !cursor.live.contains(set) || cursor.frames.len() < floor || cursor.directive_seen {
            return Ok(Peek::Other);
        }
        let Some(frame) = cursor.frames.last() else { return Ok(Peek::Other) };
        let open = frame.token().is_some_and(|token| token.text == sym::LPAREN);
        Ok(if open { Peek::Parenthesis } else { Peek::Other })
    }

    fn read_arguments(walk: &mut Walk<'u>, used: usize, mut open: usize) {
        if used != walk.pending.tokens.len() {
            return;
        }
        let (left, moment) = (tokens_left(walk), walk.moment());
        let cursor = &mut walk.cursor;
        let (depth, set) = (cursor.frames.len(), cursor.live);
        let Some(frame) = cursor.frames.last_mut() else { return };
        // Only right after a token that was pulled from the same text.
        let unread = cursor.directive_seen || cursor.lowest != usize::MAX || frame.next == 0;
        if unread || set.is_empty() || frame.macros_only || walk.survey.is_some() {
            return;
        }
        let rest = frame.file.run(frame.section).get(frame.next..).unwrap_or_default();
        for token in rest.iter().take(left) {
            match token.text {
                sym::LPAREN => open += 1,
                sym::RPAREN => open -= 1,
                _ if frame.has_suffix(token) => break,
                _ => {}
            }
            let token = Tok::new(token, frame.file.id, cursor.group);
            let raw = Raw { token, set, after_directive: false, depth, lowest: depth, moment };
            walk.pending.tokens.push_back(raw);
            frame.next += 1;
            cursor.work += 1;
            if open == 0 {
                break;
            }
        }
        walk.pending.awaited = walk.pending.awaited.or(set);
    }

    fn read<'h>(walk: &'h Walk<'u>, used: usize) -> Option<&'h Raw> {
        walk.pending.tokens.get(used)
    }
}

// ---- expanding ----

/// Expands all tokens that wait, for each pass in the order of its text.
pub(crate) fn catch_up(walk: &mut Walk<'_>) {
    let mut index = 0;
    walk.pending.update_awaited();
    loop {
        let Some(raw) = walk.pending.tokens.get(index) else {
            if walk.pending.suspended.is_empty() {
                break;
            }
            for mut one in std::mem::take(&mut walk.pending.suspended) {
                settle(walk, &mut one.effects, one.passes, one.at);
            }
            read_on(walk);
            walk.pending.update_awaited();
            index = 0;
            continue;
        };
        let set = walk.pending.suspended.iter().fold(raw.set, |set, one| set.minus(one.passes));
        index += 1;
        if set.is_empty() {
            continue;
        }
        let raw = *raw;
        if is_plain(walk, &raw.token) {
            walk.recorder.emit(&raw.token, set);
            walk.pending.tokens[index - 1].set = raw.set.minus(set);
        } else {
            expand(walk, index - 1, &raw, set);
        }
    }
    walk.pending.tokens.clear();
    walk.macros.forget_changes();
}

/// Whether the token can't become anything but itself.
pub(crate) fn is_plain(walk: &mut Walk<'_>, token: &Tok) -> bool {
    token.kind != TokenKind::Identifier || !walk.macros.may_be_macro(token.text)
}

/// Expands what begins with `head`, the waiting token of that index, once for each class of passes that has to
/// be told apart. Those that must wait for others keep the token.
fn expand(walk: &mut Walk<'_>, index: usize, head: &Raw, set: PassSet) {
    let mut classes: Vec<(PassSet, Vec<Tok>)> = Vec::new();
    let (mut first, mut rest) = (Some(set), Vec::new());
    while let Some(set) = first.take().or_else(|| rest.pop()) {
        let expansions = walk.recorder.out.expansions.len();
        let (tokens, effects) = match walk.pending.settled(set) {
            Ok(settled) => {
                let mut expander: Expander<'_, '_, _, Text> =
                    Expander::of_head(walk, set, head, index + 1, settled);
                let tokens = expander.invocation(head.token);
                (tokens, expander.end())
            }
            Err(split) => (Err(split), Effects::default()),
        };
        match tokens {
            Ok(tokens) => {
                for raw in walk.pending.tokens.iter_mut().take(effects.used).skip(index) {
                    raw.set = raw.set.minus(set);
                }
                finish(walk, effects, set, head.token.at);
                walk.cursor.work += WORK_OF_MADE * tokens.len();
                if classes.is_empty() && rest.is_empty() {
                    return walk.recorder.emit_class(set, tokens, &mut walk.scratch);
                }
                classes.push((set, tokens));
                continue;
            }
            Err(Split(part)) if part == set => {
                walk.pending.suspended.push(Suspended { passes: set, at: head.token.at, effects });
            }
            Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
        }
        walk.recorder.out.expansions.truncate(expansions);
    }
    walk.recorder.emit_classes(classes, &mut walk.scratch);
}

/// Carries out the effects of an invocation that has not ended yet.
fn settle(walk: &mut Walk<'_>, effects: &mut Effects, set: PassSet, at: Span) {
    if carry_out(walk, effects, set, at) {
        walk.pending.remember_settled(set, effects.settled.clone());
    }
}

/// Carries out the remaining effects of an invocation that has ended.
fn finish(walk: &mut Walk<'_>, mut effects: Effects, set: PassSet, at: Span) {
    carry_out(walk, &mut effects, set, at);
    walk.pending.forget_settled(set);
    for content in &effects.pragmas {
        if let Some(Pragma::PopMacro(name)) = Pragma::parse(&lex(content)) {
            walk.macros.backdate(name, set);
        }
    }
}
