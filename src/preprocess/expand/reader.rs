//! The expander's state, and how it reads its next token: from the open contexts, then from the source.
//!
//! An [`Expander`] is an ordinary single-pass expander. It works for a set of passes only as long as they agree. Where
//! they do not (a macro defined differently, a following token that only some have) it gives up with [`Split`], and
//! its caller starts again with the parts. Nothing it did is visible before it succeeds or reads past a directive:
//! effects are returned, not carried out.

use std::marker::PhantomData;

use crate::preprocess::result::tokens::DefinitionId;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::contexts::{ContextStack, pad};
use super::definition::MacroId;
use super::effects::{Effects, Settled, Split};
use super::host::{Host, Invoked, Moment, Peek, Raw, TokenSource};
use super::token::Tok;

/// The expansion of one invocation, or of one directive's line, for one set of passes.
pub(crate) struct Expander<'w, 'u, H, S> {
    pub(crate) host: &'w mut H,
    pub(crate) set: PassSet,
    pub(crate) effects: Effects,
    /// Names looked up now do not count as read: the dead side of `&&`.
    pub(crate) unread: bool,
    pub(super) contexts: ContextStack,
    pub(super) position: Position,
    pub(super) nesting: Nesting,
    source: PhantomData<(&'u (), S)>,
}

/// Where in the source an expansion is.
pub(super) struct Position {
    /// The files open where the invocation began: arguments do not reach past their ends.
    pub(super) floor: usize,
    /// Where the invocation began that may read on in the source.
    pub(super) begin: Option<Span>,
    /// When the last token was read from the source.
    pub(super) moment: Moment,
    /// Where that token stands.
    pub(super) reached: Option<Span>,
}

/// How invocations are nested in one another, and the limits on that.
#[derive(Default)]
pub(super) struct Nesting {
    /// How many arguments around are being expanded.
    pub(super) depth: usize,
    /// The invocation around all others, in the source or in the argument at hand.
    pub(super) outermost: Option<Outermost>,
    /// The argument at hand is of an invocation that a replacement list led to.
    pub(super) led: bool,
    /// How many tokens replacements have made.
    pub(super) made: usize,
    /// How many tokens the arguments have that are being expanded.
    pub(super) held: usize,
    /// A limit was met and reported.
    pub(super) limited: bool,
}

/// An invocation that no replacement list led to.
#[derive(Clone, Copy)]
pub(super) struct Outermost {
    pub(super) at: Span,
    /// Of an object-like macro.
    pub(super) object: bool,
}

impl<'w, 'u, H: Host<'u>, S: TokenSource<H>> Expander<'w, 'u, H, S> {
    /// For the invocation that `head` may begin, the last of `used` tokens of the look-ahead. An invocation that is
    /// begun again has carried out the effects in `settled`.
    pub(crate) fn of_head(host: &'w mut H, set: PassSet, head: &Raw, used: usize, settled: Settled) -> Self {
        let effects = Effects { used, settled, ..Effects::default() };
        let begin = Some(head.token.at);
        let position = Position { floor: head.depth, begin, moment: head.moment, reached: begin };
        Expander { effects, position, ..Expander::on_line(host, set) }
    }

    /// For a directive's line.
    pub(crate) fn on_line(host: &'w mut H, set: PassSet) -> Self {
        let moment = host.moment();
        let contexts = host.scratch().contexts();
        Expander {
            host,
            set,
            effects: Effects::default(),
            unread: false,
            contexts,
            position: Position { floor: 0, begin: None, moment, reached: None },
            nesting: Nesting::default(),
            source: PhantomData,
        }
    }

    /// Ends the expansion; nothing more is read.
    pub(crate) fn end(self) -> Effects {
        self.host.scratch().give_back_contexts(self.contexts);
        self.effects
    }

    /// Makes the expander read `tokens` and nothing after them.
    pub(crate) fn feed(&mut self, tokens: Vec<Tok>) {
        self.contexts.open_closed(tokens);
    }

    /// Makes `token` the next one again.
    pub(crate) fn put_back(&mut self, token: Tok) {
        let mut tokens = self.host.scratch().list();
        tokens.push(token);
        self.contexts.open_plain(tokens);
    }

    /// The next token, unexpanded.
    pub(crate) fn next(&mut self) -> Result<Option<Tok>, Split> {
        if let Some(token) = self.next_in_contexts() {
            return Ok(Some(token));
        }
        let Some(at) = self.position.begin.filter(|_| self.contexts.stack.is_empty()) else {
            return Ok(None);
        };
        let invoked = Invoked { set: self.set, floor: self.position.floor, at };
        let next = S::next(self.host, invoked, &mut self.effects)?;
        Ok(next.map(|raw| self.take_raw(&raw)))
    }

    /// Takes a token of the source.
    pub(super) fn take_raw(&mut self, raw: &Raw) -> Tok {
        let mut token = raw.token;
        self.position.moment = raw.moment;
        self.position.reached = Some(token.at);
        token.space |= token.line_start;
        self.contexts.spaced(token)
    }

    pub(super) fn next_in_contexts(&mut self) -> Option<Tok> {
        self.contexts.next(self.host.scratch())
    }

    /// Moves the tokens that can't become anything but themselves to `out`, as far as the open contexts begin with
    /// such.
    pub(super) fn take_plain(&mut self, out: &mut Vec<Tok>) {
        let reads = self.effects.reads.is_some();
        while let Some(context) = self.contexts.stack.last_mut() {
            let macros = self.host.macros();
            let mut stays = |token: &Tok| match token.kind {
                TokenKind::Identifier => token.painted || !reads && !macros.may_be_macro(token.text),
                TokenKind::Other => !token.is_padding(),
                _ => true,
            };
            loop {
                let rest = &context.tokens[context.next..];
                let count = rest.iter().position(|token| !stays(token)).unwrap_or(rest.len());
                if count > 0 {
                    let from = out.len();
                    out.extend_from_slice(&rest[..count]);
                    if let Some(space) = self.contexts.space.take() {
                        out[from].space = space;
                    }
                    context.next += count;
                }
                match rest.get(count) {
                    None => break,
                    Some(padding) if padding.is_padding() => pad(&mut self.contexts.space, padding),
                    Some(_) => return,
                }
                context.next += 1;
            }
            if context.closed {
                return;
            }
            self.contexts.leave(self.host.scratch());
        }
    }

    /// Whether `(` is next.
    pub(super) fn at_parenthesis(&mut self) -> Result<bool, Split> {
        loop {
            let Some(context) = self.contexts.stack.last_mut() else {
                let peek = S::peek(self.host, self.effects.used, self.set, self.position.floor)?;
                return Ok(peek == Peek::Parenthesis);
            };
            match context.tokens.get(context.next).copied() {
                Some(token) if token.is_padding() => {
                    context.next += 1;
                    self.contexts.pad(&token);
                }
                Some(token) => return Ok(token.is(sym::LPAREN)),
                None if context.closed => return Ok(false),
                None => self.contexts.leave(self.host.scratch()),
            }
        }
    }

    // ---- names ----

    /// The macro that `name` is to the passes of the set.
    pub(super) fn look_up(&mut self, name: Symbol) -> Result<Option<MacroId>, Split> {
        let macros = self.host.macros();
        let found = macros.meaning(name, self.set, self.position.moment.macros)?;
        let (definition, keyword) = (found.map(|id| macros.get(id).definition), macros.is_keyword(name));
        self.note_read(name, definition);
        Ok(found.filter(|_| !keyword))
    }

    /// Whether `name` is defined, for `defined`.
    pub(crate) fn is_defined(&mut self, name: Symbol) -> Result<bool, Split> {
        let moment = self.position.moment.macros;
        let found = self.host.macros().definition(name, self.set, moment)?;
        self.note_read(name, found);
        Ok(found.is_some())
    }

    fn note_read(&mut self, name: Symbol, found: Option<DefinitionId>) {
        if let Some(reads) = &mut self.effects.reads
            && !self.unread
            && !is_operator(name)
            && !reads.iter().any(|(known, _)| *known == name)
        {
            reads.push((name, found));
        }
    }

    /// Whether the token at hand comes from a replacement list, or an argument in what one led to.
    pub(super) fn within_replacement(&self) -> bool {
        self.nesting.led || self.contexts.in_replacement()
    }
}

/// A name that controlling expressions understand themselves.
fn is_operator(name: Symbol) -> bool {
    matches!(
        name,
        sym::DEFINED
            | sym::TRUE
            | sym::FALSE
            | sym::AND
            | sym::OR
            | sym::NOT
            | sym::HAS_INCLUDE
            | sym::HAS_INCLUDE_NEXT
            | sym::HAS_BUILTIN
            | sym::HAS_ATTRIBUTE
            | sym::HAS_CPP_ATTRIBUTE
            | sym::HAS_C_ATTRIBUTE
            | sym::HAS_FEATURE
            | sym::HAS_EXTENSION
            | sym::HAS_WARNING
            | sym::HAS_DECLSPEC_ATTRIBUTE
            | sym::BUILDING_MODULE
            | sym::IS_IDENTIFIER
    )
}
