//! Reading ahead: tokens that some pass takes as arguments before every pass has come so far.
//!
//! In: the source, token by token. Out: what each pass has of it, in the order in which a walk for that
//! pass alone would expand it and execute the directives between. Tokens pulled ahead of their turn wait
//! in a buffer; what a class of passes uses of them is taken by removing that class from their sets.
//!
//! **No directive is executed while a pass has text before it to expand**: text counts `__COUNTER__`,
//! and its `_Pragma` pushes and pops macros. An invocation that reaches a directive while other passes
//! have text waiting gives up and is begun again once they have caught up; passes that wait for the
//! same directive go over it together. What such an invocation had done until then stays done, and is
//! not done again.

use crate::source::{Span, Symbol, TokenKind, lex, sym};
use crate::target::{ByPass, PassSet};

use super::expand::{Effects, Expander, Settled, Split, whole};
use super::macros::{MacroId, Tok};
use super::walk::{Frame, TOKEN_LIMIT, Walker, popped};

/// A token of the source, pulled but not yet used by every pass that has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) token: Tok,
    pub(super) set: PassSet,
    /// A directive or the end of a file stands between it and the token before.
    pub(super) after_directive: bool,
    /// How many files were open.
    pub(super) depth: usize,
    /// The fewest files that were open since the token before.
    pub(super) lowest: usize,
    /// When it was pulled.
    pub(super) moment: Moment,
}

/// What a token's place in the source settles besides its passes. A token may be expanded after
/// directives behind it were executed: a class of passes that read over them may turn out to be two, and
/// each begins the invocation again. It still sees the macros of its own moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moment {
    /// How many changes of macros went before.
    pub(super) changes: u32,
    /// How many changes of line numbers went before.
    pub(super) renumberings: u32,
    /// `__INCLUDE_LEVEL__`.
    pub(super) level: u32,
}

/// A change of what a name means, kept while tokens from before it wait.
pub(super) struct Change {
    /// The number of the change.
    pub(super) number: u32,
    pub(super) name: Symbol,
    pub(super) before: Option<ByPass<MacroId>>,
}

/// An invocation that waits until it may read over a directive.
pub(super) struct Suspended {
    passes: PassSet,
    at: Span,
    /// What it has done so far.
    effects: Effects,
}

/// A step through the source.
pub(super) enum Step {
    /// A token was pulled.
    Token(Raw),
    /// A directive, the end of a file or dead text was passed.
    Passed,
    /// The unit has ended.
    End,
}

/// What stands next in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Peek {
    Parenthesis,
    Other,
}

/// What the next step through the source meets.
enum Next {
    /// What no pass may pass while it has text before it: a directive, the end of an included file, a
    /// literal whose suffix may be a macro's name.
    Barrier,
    Text,
    /// The end of the file that an invocation began in.
    End,
}

impl Walker<'_> {
    /// Expands all that waits, for each pass in the order of its text.
    pub(super) fn catch_up(&mut self) {
        let mut index = 0;
        self.note_awaited();
        loop {
            let Some(raw) = self.ahead.get(index) else {
                if self.suspended.is_empty() {
                    break;
                }
                for mut one in std::mem::take(&mut self.suspended) {
                    self.settle(&mut one.effects, one.passes, one.at);
                }
                self.read_on();
                self.note_awaited();
                index = 0;
                continue;
            };
            let set = self.suspended.iter().fold(raw.set, |set, one| set.minus(one.passes));
            index += 1;
            if set.is_empty() {
                continue;
            }
            let raw = *raw;
            if self.is_plain(&raw.token) {
                self.emit(&raw.token, set);
                self.ahead[index - 1].set = raw.set.minus(set);
            } else {
                self.expand(index - 1, &raw, set);
            }
        }
        self.ahead.clear();
        self.changes.clear();
    }

    /// Nothing becomes of the token but itself.
    pub(super) fn is_plain(&mut self, token: &Tok) -> bool {
        token.kind != TokenKind::Identifier || !self.may_be_macro(token.text)
    }

    fn note_awaited(&mut self) {
        self.awaited = self.ahead.iter().fold(PassSet::EMPTY, |all, raw| all.or(raw.set));
    }

    /// Expands what begins with `head`, the token of that index, once for each class of passes that has to
    /// be told apart. Those that must wait for others keep the token.
    fn expand(&mut self, index: usize, head: &Raw, set: PassSet) {
        let mut classes: Vec<(PassSet, Vec<Tok>)> = Vec::new();
        let (mut first, mut rest) = (Some(set), Vec::new());
        while let Some(set) = first.take().or_else(|| rest.pop()) {
            let expansions = self.out.expansions.len();
            let (tokens, effects) = match self.begun(set) {
                Ok(settled) => {
                    let mut expander = Expander::of_head(self, set, head, index + 1, settled);
                    let tokens = expander.invocation(head.token);
                    (tokens, expander.end())
                }
                Err(split) => (Err(split), Effects::default()),
            };
            match tokens {
                Ok(tokens) => {
                    for raw in self.ahead.iter_mut().take(effects.used).skip(index) {
                        raw.set = raw.set.minus(set);
                    }
                    self.finish(effects, set, head.token.at);
                    if classes.is_empty() && rest.is_empty() {
                        return self.emit_class(set, tokens);
                    }
                    classes.push((set, tokens));
                    continue;
                }
                Err(Split(part)) if part == set => {
                    self.suspended.push(Suspended { passes: set, at: head.token.at, effects });
                }
                Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
            }
            self.out.expansions.truncate(expansions);
        }
        self.emit_classes(classes);
    }

    // ---- reading ----

    /// Pulls the next token of the source, or passes what stands before it.
    pub(super) fn step(&mut self) -> Step {
        let depth = self.frames.len();
        let left_out = !self.live.is_empty() && self.leaves_out();
        let Some(frame) = self.frames.last_mut() else { return Step::End };
        if self.live.is_empty() || frame.macros_only || left_out {
            frame.next = Frame::PASSED;
        }
        let Some(token) = frame.token() else {
            if frame.has_directive() {
                self.directive_seen = true;
                self.directive();
            } else {
                self.leave();
            }
            return Step::Passed;
        };
        let token = Tok::new(token, frame.file.id, self.group);
        frame.next += 1;
        if !self.count_pulled(token.at) {
            return Step::End;
        }
        let after_directive = std::mem::take(&mut self.directive_seen);
        let lowest = std::mem::replace(&mut self.lowest, usize::MAX).min(depth);
        let mut raw = Raw { token, set: self.live, after_directive, depth, lowest, moment: self.moment() };
        if matches!(token.kind, TokenKind::String | TokenKind::Character) {
            self.cut_suffix(&mut raw);
        }
        Step::Token(raw)
    }

    /// A step, with what it pulls put into the buffer.
    fn read_on(&mut self) {
        // A literal whose suffix is cut puts the suffix there itself.
        let end = self.ahead.len();
        if let Step::Token(raw) = self.step() {
            self.ahead.insert(end, raw);
        }
        self.awaited = self.ahead.iter().skip(end).fold(self.awaited, |all, raw| all.or(raw.set));
    }

    /// Pulls what stands before the next directive, up to the parenthesis that closes `open` others. Only right after a
    /// token that was pulled from there.
    pub(super) fn read_arguments(&mut self, mut open: usize) {
        let left = TOKEN_LIMIT.saturating_sub(self.pulled.max(self.out.tokens.len()));
        let (moment, depth, set) = (self.moment(), self.frames.len(), self.live);
        let Some(frame) = self.frames.last_mut() else { return };
        let unread = self.directive_seen || self.lowest != usize::MAX || frame.next == 0;
        if unread || set.is_empty() || frame.macros_only || self.survey.is_some() {
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
            let token = Tok::new(token, frame.file.id, self.group);
            self.ahead.push_back(Raw { token, set, after_directive: false, depth, lowest: depth, moment });
            frame.next += 1;
            self.pulled += 1;
            if open == 0 {
                break;
            }
        }
        self.awaited = self.awaited.or(set);
    }

    fn next_meets(&self, floor: usize) -> Next {
        let Some(frame) = self.frames.last() else { return Next::End };
        if self.live.is_empty() || frame.macros_only {
            let end = !frame.has_directive() && self.frames.len() <= floor;
            return if end { Next::End } else { Next::Barrier };
        }
        match frame.token() {
            None if frame.has_directive() || self.frames.len() > floor => Next::Barrier,
            None => Next::End,
            Some(token) if frame.has_suffix(token) => Next::Barrier,
            Some(_) => Next::Text,
        }
    }

    /// The first token from `used` on that `set` has, for the invocation at `at` that has had `effects`
    /// so far, and how many are used with it. A [`Split`] off of the whole set means that it has to wait.
    pub(super) fn ahead(
        &mut self,
        set: PassSet,
        floor: usize,
        at: Span,
        effects: &mut Effects,
    ) -> Result<Option<Raw>, Split> {
        let mut used = effects.used;
        loop {
            while used >= self.ahead.len() {
                if self.lowest < floor || whole(set, self.stopped)? {
                    return Ok(None);
                }
                match self.next_meets(floor) {
                    Next::End => return Ok(None),
                    Next::Barrier if !set.contains(self.awaited) => return Err(Split(set)),
                    Next::Barrier => self.settle(effects, set, at),
                    Next::Text => {}
                }
                self.read_on();
            }
            let raw = self.ahead[used];
            if raw.lowest < floor {
                return Ok(None);
            }
            used += 1;
            if whole(set, raw.set)? {
                effects.used = used;
                return Ok(Some(raw));
            }
        }
    }

    /// Whether `set` has a `(` next, without executing directives: one ends the search.
    pub(super) fn peek(&mut self, used: usize, set: PassSet, floor: usize) -> Result<Peek, Split> {
        for raw in self.ahead.iter().skip(used) {
            if raw.after_directive || raw.lowest < floor {
                return Ok(Peek::Other);
            }
            if whole(set, raw.set)? {
                let open = raw.token.is(sym::LPAREN);
                return Ok(if open { Peek::Parenthesis } else { Peek::Other });
            }
        }
        if !self.live.contains(set) || self.frames.len() < floor || self.directive_seen {
            return Ok(Peek::Other);
        }
        let Some(frame) = self.frames.last() else { return Ok(Peek::Other) };
        let open = frame.token().is_some_and(|token| token.text == sym::LPAREN);
        Ok(if open { Peek::Parenthesis } else { Peek::Other })
    }

    // ---- effects ----

    /// What an invocation for `set`, given up before, has done already.
    fn begun(&self, set: PassSet) -> Result<Settled, Split> {
        for (passes, settled) in &self.begun {
            if whole(set, *passes)? {
                return Ok(settled.clone());
            }
        }
        Ok(Settled::default())
    }

    /// Does what an invocation asked for that has not ended yet, as far as it is not done.
    fn settle(&mut self, effects: &mut Effects, set: PassSet, at: Span) {
        if self.carry_out(effects, set, at) {
            self.forget_begun(set);
            self.begun.push((set, effects.settled.clone()));
        }
    }

    /// Does what is left of what an invocation asked for that has ended.
    fn finish(&mut self, mut effects: Effects, set: PassSet, at: Span) {
        self.carry_out(&mut effects, set, at);
        self.forget_begun(set);
        for content in &effects.pragmas {
            if let Some(name) = popped(&lex(content)) {
                self.carry_back(name, set);
            }
        }
    }

    fn forget_begun(&mut self, set: PassSet) {
        self.begun.iter_mut().for_each(|(passes, _)| *passes = passes.minus(set));
        self.begun.retain(|(passes, _)| !passes.is_empty());
    }

    /// Does what an expansion for `set` asked for, as far as it is not done; says whether anything was
    /// left to do.
    pub(super) fn carry_out(&mut self, effects: &mut Effects, set: PassSet, at: Span) -> bool {
        let done = Settled {
            counted: effects.counted.clone(),
            pragmas: effects.pragmas.len(),
            problems: effects.problems.len(),
        };
        let before = std::mem::replace(&mut effects.settled, done);
        if before == effects.settled {
            return false;
        }
        for pass in set.iter() {
            self.counters[pass] += (effects.counted.len() - before.counted.len()) as u32;
        }
        for message in &effects.problems[before.problems..] {
            self.problem_at(message.clone(), at, set, false);
        }
        for content in &effects.pragmas[before.pragmas..] {
            self.pragma(&lex(content), set, at);
        }
        true
    }

    /// Text of `set` changed what `name` is: all of that set's tokens that still wait stand behind it.
    fn carry_back(&mut self, name: Symbol, set: PassSet) {
        let now = self.table.cases(name);
        for change in self.changes.iter_mut().filter(|change| change.name == name) {
            let before = change.before.get_or_insert_default();
            before.clear(set);
            for (passes, id) in now.iter().filter(|(passes, _)| passes.meets(set)) {
                before.set(passes.and(set), *id);
            }
        }
    }

    /// Now.
    pub(super) fn moment(&self) -> Moment {
        let level = self.frames.last().map_or(0, |frame| frame.level);
        Moment { changes: self.changed, renumberings: self.renumberings, level: level as u32 }
    }

    /// Notes that `name` is about to change, if a token from before may still be expanded.
    pub(super) fn note_change(&mut self, name: Symbol) {
        if !self.ahead.is_empty() {
            self.changed += 1;
            let before = self.table.get(name).cloned();
            self.changes.push(Change { number: self.changed, name, before });
        }
    }
}
