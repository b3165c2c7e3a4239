//! The arguments of an invocation: read, cut at their commas, and fitted to the parameters ([cpp.replace]).

use std::ops::Range;

use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::ExpansionId;
use crate::source::{Symbol, TokenKind, sym};

use super::contexts::pad;
use super::effects::Split;
use super::host::{Host, TokenSource};
use super::reader::Expander;
use super::token::Tok;

/// The arguments of an invocation.
#[derive(Default)]
pub(crate) struct Arguments {
    /// The tokens of all of them, as they were read.
    pub(crate) tokens: Vec<Tok>,
    pub(crate) list: Vec<Argument>,
}

/// An argument of an invocation.
pub(crate) struct Argument {
    /// Its tokens among those of all.
    range: Range<usize>,
    /// There may be names of macros among them.
    pub(super) names: bool,
    /// The replacement list uses it expanded.
    pub(super) wanted: bool,
    /// Its expansion, if that differs from its tokens.
    pub(crate) expanded: Option<Vec<Tok>>,
}

impl Arguments {
    /// An argument as it was read.
    pub(crate) fn plain(&self, index: usize) -> &[Tok] {
        &self.tokens[self.list[index].range.clone()]
    }

    /// The expansion of an argument that is wanted expanded.
    pub(crate) fn expanded(&self, index: usize) -> &[Tok] {
        debug_assert!(self.list[index].wanted, "a parameter beside no `##` was expanded");
        self.list[index].expanded.as_deref().unwrap_or_else(|| self.plain(index))
    }

    fn push(&mut self, range: Range<usize>, names: bool) {
        self.list.push(Argument { range, names, wanted: false, expanded: None });
    }
}

/// Arguments being read.
struct ArgumentReader {
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

impl ArgumentReader {
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

impl<'u, H: Host<'u>, S: TokenSource<H>> Expander<'_, 'u, H, S> {
    /// Reads `( … )` and cuts it at its commas. `None` when nothing closes it.
    pub(crate) fn arguments(
        &mut self,
        name: Tok,
        expansion: ExpansionId,
        parameters: usize,
        variadic: bool,
    ) -> Result<Option<Arguments>, Split> {
        self.next()?;
        let arguments =
            Arguments { tokens: self.host.scratch().list(), list: Vec::with_capacity(parameters) };
        let cuts = if variadic { parameters.saturating_sub(1) } else { usize::MAX };
        let outer = name.expansion;
        let mut reading =
            ArgumentReader { arguments, start: 0, names: false, depth: 0, cuts, outer, expansion };
        loop {
            if self.read_plain(&mut reading) || self.read_source(&mut reading) {
                break;
            }
            let Some(mut token) = self.next()? else {
                self.effects.problems.push(ProblemKind::UnterminatedArguments(name.text));
                // What was read is read again.
                self.host.spend(reading.arguments.tokens.len());
                return Ok(None);
            };
            token.painted |= token.kind == TokenKind::Identifier && self.contexts.disables(token.text);
            if reading.take(token) {
                break;
            }
        }
        Ok(Some(reading.arguments))
    }

    /// Reads what the innermost context holds of an argument list up to the first name of a macro, which
    /// may be one that is being replaced; says whether the list is closed.
    fn read_plain(&mut self, reading: &mut ArgumentReader) -> bool {
        let macros = self.host.macros();
        let Some(context) = self.contexts.stack.last_mut() else { return false };
        loop {
            let rest = &context.tokens[context.next..];
            let count = reading.inside(rest, |name| macros.may_be_macro(name));
            if count > 0 {
                reading.take_all(&rest[..count], &mut self.contexts.space);
            }
            context.next += count;
            let Some(token) = rest.get(count) else { return false };
            if token.kind == TokenKind::Identifier {
                return false;
            }
            context.next += 1;
            if token.is_padding() {
                pad(&mut self.contexts.space, token);
                continue;
            }
            let mut token = *token;
            if let Some(space) = self.contexts.space.take() {
                token.space = space;
            }
            if reading.take(token) {
                return true;
            }
        }
    }

    /// Reads what stands in the source of an argument list up to the next directive; says whether the list is closed.
    /// Not where the passes part.
    fn read_source(&mut self, reading: &mut ArgumentReader) -> bool {
        if self.position.begin.is_none() || !self.contexts.stack.is_empty() {
            return false;
        }
        S::read_arguments(self.host, self.effects.used, 1 + reading.depth);
        while let Some(raw) = S::read(self.host, self.effects.used).copied()
            && raw.set.contains(self.set)
            && raw.lowest >= self.position.floor
        {
            self.effects.used += 1;
            let token = self.take_raw(&raw);
            if reading.take(token) {
                return true;
            }
        }
        false
    }
}

/// Fits the arguments of an invocation to the parameters of its macro; whether the variadic one was left out.
pub(super) fn fitted(
    name: Symbol,
    mut arguments: Arguments,
    parameters: usize,
    variadic: bool,
) -> Result<(Arguments, bool), ProblemKind> {
    let given = arguments.list.len();
    let empty = given == 1 && arguments.tokens.is_empty();
    if parameters == 0 && empty {
        arguments.list.clear();
        return Ok((arguments, false));
    }
    let omitted = variadic && (given + 1 == parameters || parameters == 1 && empty);
    if variadic && given + 1 == parameters {
        let end = arguments.tokens.len();
        arguments.push(end..end, false);
    }
    if arguments.list.len() == parameters {
        return Ok((arguments, omitted));
    }
    Err(ProblemKind::ArgumentCount { name, parameters, given })
}
