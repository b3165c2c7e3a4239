//! The arguments of an invocation: read, cut at their commas, and expanded ([cpp.replace], [cpp.subst]).

use std::ops::Range;

use crate::source::{Symbol, TokenKind, sym};

use super::substitute::Invocation;
use super::{Expander, ExpansionId, Role, Split, Tok, pad};

/// The arguments of an invocation.
#[derive(Default)]
pub(super) struct Arguments {
    /// The tokens of all of them, as they were read.
    pub(super) tokens: Vec<Tok>,
    pub(super) list: Vec<Argument>,
}

/// An argument of an invocation.
pub(super) struct Argument {
    /// Which of the tokens are its own.
    range: Range<usize>,
    /// There may be names of macros among them.
    names: bool,
    /// The replacement list uses it expanded.
    wanted: bool,
    /// What it is expanded, if that is anything else.
    pub(super) expanded: Option<Vec<Tok>>,
}

impl Arguments {
    /// An argument as it was read.
    pub(super) fn plain(&self, index: usize) -> &[Tok] {
        &self.tokens[self.list[index].range.clone()]
    }

    /// An argument that is wanted expanded, expanded.
    pub(super) fn expanded(&self, index: usize) -> &[Tok] {
        debug_assert!(self.list[index].wanted, "a parameter beside no `##` was expanded");
        self.list[index].expanded.as_deref().unwrap_or_else(|| self.plain(index))
    }

    fn push(&mut self, range: Range<usize>, names: bool) {
        self.list.push(Argument { range, names, wanted: false, expanded: None });
    }
}

/// Arguments being read.
pub(super) struct Reading {
    arguments: Arguments,
    /// Where the one at hand begins.
    start: usize,
    /// There may be names of macros in it.
    names: bool,
    /// How many parentheses are open in it.
    depth: usize,
    /// How many commas cut: those after them belong to the variadic argument.
    cuts: usize,
    /// The expansion that the invocation stands in, and its own.
    outer: Option<ExpansionId>,
    expansion: ExpansionId,
}

impl Reading {
    /// Takes the next token; says whether it closes the list.
    fn take(&mut self, mut token: Tok) -> bool {
        let arguments = &mut self.arguments;
        if token.kind == TokenKind::Punctuator {
            match token.text {
                sym::LPAREN => self.depth += 1,
                sym::RPAREN if self.depth == 0 => {
                    arguments.push(self.start..arguments.tokens.len(), self.names);
                    return true;
                }
                sym::RPAREN => self.depth -= 1,
                sym::COMMA if self.depth == 0 && arguments.list.len() < self.cuts => {
                    arguments.push(self.start..arguments.tokens.len(), self.names);
                    self.start = arguments.tokens.len();
                    self.names = false;
                    return false;
                }
                _ => {}
            }
        }
        self.names |= token.kind == TokenKind::Identifier;
        if token.expansion == self.outer || token.expansion.is_none() {
            token.expansion = Some(self.expansion);
        }
        arguments.tokens.push(token);
        false
    }

    /// How many of the next tokens neither end an argument nor are padding or the name of a macro. The
    /// parentheses among them count as read.
    fn inside(&mut self, tokens: &[Tok], mut may_be_macro: impl FnMut(Symbol) -> bool) -> usize {
        let cuts = self.arguments.list.len() < self.cuts;
        let mut depth = self.depth;
        let ends = |token: &Tok| match token.text {
            text if text > sym::EMPTY => token.kind == TokenKind::Identifier && may_be_macro(text),
            sym::LPAREN => {
                depth += 1;
                false
            }
            sym::RPAREN if depth > 0 => {
                depth -= 1;
                false
            }
            sym::COMMA => depth == 0 && cuts,
            // Padding, or what closes the list.
            _ => true,
        };
        let count = tokens.iter().position(ends).unwrap_or(tokens.len());
        self.depth = depth;
        count
    }

    /// Takes tokens that are all inside the argument at hand, the first after some white space.
    fn take_all(&mut self, tokens: &[Tok], pending: &mut Option<bool>) {
        let taken = &mut self.arguments.tokens;
        let from = taken.len();
        taken.extend_from_slice(tokens);
        if let Some(space) = pending.take() {
            taken[from].space = space;
        }
        for token in &mut taken[from..] {
            if token.expansion == self.outer || token.expansion.is_none() {
                token.expansion = Some(self.expansion);
            }
        }
    }
}

/// What is said of an argument list that nothing closes, before the macro's name.
pub(in crate::preprocess) const UNTERMINATED: &str = "unterminated argument list invoking macro";

impl Expander<'_, '_> {
    /// Reads `( … )` and cuts it at its commas. `None` when nothing closes it.
    pub(super) fn arguments(
        &mut self,
        name: Tok,
        expansion: ExpansionId,
        parameters: usize,
        variadic: bool,
    ) -> Result<Option<Arguments>, Split> {
        self.next()?;
        let arguments = Arguments { tokens: self.walker.spare(), list: Vec::with_capacity(parameters) };
        let cuts = if variadic { parameters.saturating_sub(1) } else { usize::MAX };
        let outer = name.expansion;
        let mut reading = Reading { arguments, start: 0, names: false, depth: 0, cuts, outer, expansion };
        loop {
            if self.read_plain(&mut reading) || self.read_source(&mut reading) {
                break;
            }
            let Some(mut token) = self.next()? else {
                self.effects.problems.push(format!("{UNTERMINATED} `{}`", name.text));
                return Ok(None);
            };
            if token.kind == TokenKind::Identifier
                && self.contexts.iter().any(|context| context.name == Some(token.text))
            {
                token.painted = true;
            }
            if reading.take(token) {
                break;
            }
        }
        Ok(Some(reading.arguments))
    }

    /// Reads what the innermost context holds of an argument list up to the first name of a macro, which
    /// may be one that is being replaced; says whether the list is closed.
    fn read_plain(&mut self, reading: &mut Reading) -> bool {
        let walker = &mut *self.walker;
        let Some(context) = self.contexts.last_mut() else { return false };
        loop {
            let rest = &context.tokens[context.next..];
            let count = reading.inside(rest, |name| walker.may_be_macro(name));
            if count > 0 {
                reading.take_all(&rest[..count], &mut self.pending);
            }
            context.next += count;
            let Some(token) = rest.get(count) else { return false };
            if token.kind == TokenKind::Identifier {
                return false;
            }
            context.next += 1;
            if token.is_padding() {
                pad(&mut self.pending, token);
                continue;
            }
            let mut token = *token;
            if let Some(space) = self.pending.take() {
                token.space = space;
            }
            if reading.take(token) {
                return true;
            }
        }
    }

    /// Reads what stands in the source of an argument list up to the next directive; says whether the list is closed.
    /// Not where the passes part.
    fn read_source(&mut self, reading: &mut Reading) -> bool {
        if self.begin.is_none() || !self.contexts.is_empty() {
            return false;
        }
        if self.effects.used == self.walker.ahead.len() {
            self.walker.read_arguments(1 + reading.depth);
        }
        while let Some(raw) = self.walker.ahead.get(self.effects.used)
            && raw.set.contains(self.set)
            && raw.lowest >= self.floor
        {
            let (mut token, moment) = (raw.token, raw.moment);
            token.space |= token.line_start;
            (self.moment, self.reached) = (moment, Some(token.at));
            self.effects.used += 1;
            let token = self.spaced(token);
            if reading.take(token) {
                return true;
            }
        }
        false
    }

    /// Fits the arguments to the parameters; says whether the variadic one was left out.
    pub(super) fn matched(
        &mut self,
        name: Tok,
        mut arguments: Arguments,
        parameters: usize,
        variadic: bool,
    ) -> Option<(Arguments, bool)> {
        let given = arguments.list.len();
        let empty = given == 1 && arguments.tokens.is_empty();
        if parameters == 0 && empty {
            arguments.list.clear();
            return Some((arguments, false));
        }
        let omitted = variadic && (given + 1 == parameters || parameters == 1 && empty);
        if variadic && given + 1 == parameters {
            let end = arguments.tokens.len();
            arguments.push(end..end, false);
        }
        if arguments.list.len() == parameters {
            return Some((arguments, omitted));
        }
        self.effects.problems.push(format!(
            "macro `{}` takes {parameters} {}, but is given {given}",
            name.text,
            if parameters == 1 { "argument" } else { "arguments" },
        ));
        None
    }

    /// Expands each argument that the replacement list uses other than beside `#` or `##`, in the order of
    /// their uses, like GCC.
    pub(super) fn expand_arguments(&mut self, invocation: &mut Invocation<'_>) -> Result<(), Split> {
        let mut optional = false;
        let mut pasting = false;
        // Where a `__VA_OPT__` group ends, and whether it is pasted to what follows.
        let mut group = None;
        let definition = invocation.definition;
        for (index, token) in definition.body.iter().enumerate() {
            if let Some((end, pastes)) = group
                && end == index
            {
                pasting = pastes;
            }
            match token.role {
                Role::Parameter(parameter) if !token.pastes && !pasting => {
                    self.expand_argument(invocation, parameter)?;
                }
                Role::Optional { length, .. } => {
                    optional = true;
                    group = Some((index + 1 + length, token.pastes));
                    pasting = false;
                    continue;
                }
                _ => {}
            }
            pasting = token.pastes;
        }
        // Whether `__VA_OPT__` gives its tokens hangs on the expanded variadic argument.
        if let Some(last) = invocation.arguments.list.len().checked_sub(1).filter(|_| optional) {
            self.expand_argument(invocation, last)?;
        }
        Ok(())
    }

    fn expand_argument(&mut self, invocation: &mut Invocation<'_>, index: usize) -> Result<(), Split> {
        if !std::mem::replace(&mut invocation.arguments.list[index].wanted, true) {
            // Without names of macros when it was read, it has some only if a directive came in between.
            let names = invocation.arguments.list[index].names || self.walker.has_changed();
            if names || self.effects.reads.is_some() {
                let expanded = self.expand_apart(invocation.arguments.plain(index), invocation.within)?;
                invocation.arguments.list[index].expanded = expanded;
            }
        }
        Ok(())
    }

    /// Expands an argument as if nothing followed it ([cpp.subst]).
    /// Gives nothing if it stays as it is.
    fn expand_apart(&mut self, tokens: &[Tok], within: bool) -> Result<Option<Vec<Tok>>, Split> {
        let reads = self.effects.reads.is_some();
        let walker = &mut *self.walker;
        let may_change =
            |token: &Tok| token.kind == TokenKind::Identifier && (reads || walker.may_be_macro(token.text));
        if !tokens.iter().any(may_change) {
            return Ok(None);
        }
        let mut fed = walker.spare();
        fed.extend_from_slice(tokens);
        let last = tokens.last().copied();
        // A padding without white space stands before the argument, the parameter's.
        let pending = self.pending.replace(false);
        let around = (self.outermost, self.led);
        self.led |= within;
        let open = self.contexts.len();
        self.feed(fed);
        self.depth += 1;
        let mut out = self.walker.spare();
        loop {
            self.take_plain(&mut out);
            let Some(token) = self.next()? else { break };
            if let Some(plain) = self.expand(token)? {
                out.push(plain);
            }
        }
        self.depth -= 1;
        debug_assert_eq!(self.contexts.len(), open + 1, "the argument's context is on top");
        if let Some(context) = self.contexts.pop() {
            self.walker.give_back(context.tokens);
        }
        if let Some(first) = out.first().copied().filter(|first| first.space) {
            out.insert(0, first.right_edge());
        }
        if let Some(last) = last {
            if out.is_empty() && self.pending != Some(false) {
                out.push(last.right_edge());
            }
            out.extend(self.pending.map(|space| last.padding(space)));
        }
        self.pending = pending;
        (self.outermost, self.led) = around;
        Ok(Some(out))
    }
}
