//! Macro expansion ([cpp.replace]) of one invocation, or one directive's line, for one set of passes.
//!
//! An [`Expander`] is an ordinary single-pass expander, GCC's algorithm: a stack of contexts, a
//! macro disabled while its context is open, a disabled name painted for good. It works for a set of
//! passes only as long as they agree. Where they do not (a macro defined differently, a following
//! token that only some have) it gives up with [`Split`], and its caller starts again with the parts.
//! Nothing it did is visible before it succeeds or reads over a directive: effects are returned, not made.

mod arguments;
mod builtins;
mod substitute;

use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;

pub(super) use arguments::UNTERMINATED;

use super::ahead::{Moment, Peek, Raw};
use super::directives::is_for_compiler;
use super::macros::{BodyToken, Macro, MacroId, Meaning, Role, Tok};
use super::tokens::{DefinitionId, Expansion, ExpansionId};
use super::walk::{Walker, unquoted};
use arguments::Arguments;
use substitute::Invocation;

pub(super) use builtins::quoted;

/// The passes do not agree: these of the set differ from the others. All of them have to wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split(pub(super) PassSet);

/// The passes of `set` that `part` holds, all of them or a [`Split`].
pub(super) fn whole(set: PassSet, part: PassSet) -> Result<bool, Split> {
    if part.contains(set) {
        Ok(true)
    } else if part.meets(set) {
        Err(Split(part.and(set)))
    } else {
        Ok(false)
    }
}

/// What an expansion does besides giving tokens; done before the next directive.
#[derive(Default)]
pub(super) struct Effects {
    /// What `__COUNTER__` was, each time it was read.
    pub(super) counted: Vec<u32>,
    /// What `_Pragma` held, in order.
    pub(super) pragmas: Vec<String>,
    pub(super) problems: Vec<String>,
    /// How far they are done.
    pub(super) settled: Settled,
    /// The macro names looked at, if they are wanted.
    pub(super) reads: Option<Vec<(Symbol, Option<DefinitionId>)>>,
    /// What is asserted was looked at.
    pub(super) asserted: bool,
    /// How many tokens of the look-ahead were used.
    pub(super) used: usize,
}

/// How much of its [`Effects`] an expansion has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Settled {
    /// What `__COUNTER__` was, each time.
    pub(super) counted: Vec<u32>,
    /// How many pragmas.
    pub(super) pragmas: usize,
    /// How many problems.
    pub(super) problems: usize,
}

pub(super) struct Context {
    tokens: Vec<Tok>,
    next: usize,
    /// The macro whose replacement this is.
    name: Option<Symbol>,
    /// Reading stops at its end: a macro argument, or a directive's line.
    closed: bool,
}

/// An invocation that no replacement list led to.
#[derive(Clone, Copy)]
struct Outermost {
    at: Span,
    /// Of an object-like macro.
    object: bool,
}

/// Invocations nested deeper than this in one another's arguments are left alone.
const DEPTH_LIMIT: usize = 200;

/// When one invocation has been replaced by this many tokens, what is left of it is left alone. Macros that pick types
/// for kernels, eight of them in one another's arguments, make some millions.
const REPLACEMENT_LIMIT: usize = 8_000_000;

pub(super) struct Expander<'w, 'u> {
    pub(super) walker: &'w mut Walker<'u>,
    pub(super) set: PassSet,
    pub(super) effects: Effects,
    /// Names looked up now do not count as read: the dead side of `&&`.
    pub(super) unread: bool,
    contexts: Vec<Context>,
    /// White space before the next token, as GCC's padding decides it.
    pending: Option<bool>,
    /// The files open where the invocation began: arguments do not reach past their ends.
    floor: usize,
    /// Where the invocation began that may read on in the source.
    begin: Option<Span>,
    /// When the last token was read from the source.
    moment: Moment,
    /// Where that token stands.
    reached: Option<Span>,
    /// How many arguments around are being expanded.
    depth: usize,
    /// The invocation around all others, in the source or in the argument at hand.
    outermost: Option<Outermost>,
    /// The argument at hand is of an invocation that a replacement list led to.
    led: bool,
    /// How many tokens replacements have made.
    made: usize,
    /// A limit was met and told.
    limited: bool,
}

impl<'w, 'u> Expander<'w, 'u> {
    /// For the invocation that `head` may begin, the last of `used` tokens of the look-ahead. Begun
    /// before, it had done what is `settled`.
    pub(super) fn of_head(
        walker: &'w mut Walker<'u>,
        set: PassSet,
        head: &Raw,
        used: usize,
        settled: Settled,
    ) -> Self {
        let effects = Effects { used, settled, ..Effects::default() };
        let (floor, moment, begin) = (head.depth, head.moment, head.token.at);
        let (begin, reached) = (Some(begin), Some(begin));
        Expander { effects, floor, moment, begin, reached, ..Expander::on_line(walker, set) }
    }

    /// For a directive's line.
    pub(super) fn on_line(walker: &'w mut Walker<'u>, set: PassSet) -> Self {
        let moment = walker.moment();
        let contexts = std::mem::take(&mut walker.spare_contexts);
        Expander {
            walker,
            set,
            effects: Effects::default(),
            unread: false,
            contexts,
            pending: None,
            floor: 0,
            begin: None,
            moment,
            reached: None,
            depth: 0,
            outermost: None,
            led: false,
            made: 0,
            limited: false,
        }
    }

    /// Everything `head` and the source tokens it takes as arguments become.
    pub(super) fn invocation(&mut self, head: Tok) -> Result<Vec<Tok>, Split> {
        let mut out = self.walker.spare();
        if let Some(plain) = self.expand(head)? {
            out.push(plain);
        }
        loop {
            self.take_plain(&mut out);
            let Some(token) = self.next_in_contexts() else { break };
            if let Some(plain) = self.expand(token)? {
                out.push(plain);
            }
        }
        if let Some(first) = out.first_mut() {
            first.line_start = head.line_start;
        }
        Ok(out)
    }

    /// Nothing more is read.
    pub(super) fn end(mut self) -> Effects {
        while let Some(context) = self.contexts.pop() {
            self.walker.give_back(context.tokens);
        }
        self.walker.spare_contexts = self.contexts;
        self.effects
    }

    /// Makes the expander read `tokens` and nothing after them.
    pub(super) fn feed(&mut self, tokens: Vec<Tok>) {
        self.contexts.push(Context { tokens, next: 0, name: None, closed: true });
    }

    /// Makes `token` the next one again.
    pub(super) fn put_back(&mut self, token: Tok) {
        let mut tokens = self.walker.spare();
        tokens.push(token);
        self.contexts.push(Context { tokens, next: 0, name: None, closed: false });
    }

    /// The next token, fully expanded.
    pub(super) fn next_expanded(&mut self) -> Result<Option<Tok>, Split> {
        while let Some(token) = self.next()? {
            if let Some(plain) = self.expand(token)? {
                return Ok(Some(plain));
            }
        }
        Ok(None)
    }

    /// The next token as it stands.
    pub(super) fn next(&mut self) -> Result<Option<Tok>, Split> {
        if let Some(token) = self.next_in_contexts() {
            return Ok(Some(token));
        }
        let Some(begin) = self.begin.filter(|_| self.contexts.is_empty()) else { return Ok(None) };
        let next = self.walker.ahead(self.set, self.floor, begin, &mut self.effects)?;
        Ok(next.map(|raw| {
            let mut token = raw.token;
            self.moment = raw.moment;
            self.reached = Some(token.at);
            token.space |= token.line_start;
            self.spaced(token)
        }))
    }

    fn next_in_contexts(&mut self) -> Option<Tok> {
        loop {
            let context = self.contexts.last_mut()?;
            if let Some(token) = context.tokens.get(context.next).copied() {
                context.next += 1;
                if token.is_padding() {
                    pad(&mut self.pending, &token);
                    continue;
                }
                return Some(self.spaced(token));
            }
            if context.closed {
                return None;
            }
            self.leave_context();
        }
    }

    /// Moves the tokens of which nothing can become anything but themselves to `out`, as far as the open
    /// contexts begin with such.
    fn take_plain(&mut self, out: &mut Vec<Tok>) {
        let reads = self.effects.reads.is_some();
        while let Some(context) = self.contexts.last_mut() {
            let walker = &mut *self.walker;
            let mut stays = |token: &Tok| match token.kind {
                TokenKind::Identifier => token.painted || !reads && !walker.may_be_macro(token.text),
                TokenKind::Other => !token.is_padding(),
                _ => true,
            };
            loop {
                let rest = &context.tokens[context.next..];
                let count = rest.iter().position(|token| !stays(token)).unwrap_or(rest.len());
                if count > 0 {
                    let from = out.len();
                    out.extend_from_slice(&rest[..count]);
                    if let Some(space) = self.pending.take() {
                        out[from].space = space;
                    }
                    context.next += count;
                }
                match rest.get(count) {
                    None => break,
                    Some(padding) if padding.is_padding() => pad(&mut self.pending, padding),
                    Some(_) => return,
                }
                context.next += 1;
            }
            if context.closed {
                return;
            }
            self.leave_context();
        }
    }

    fn leave_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            self.walker.give_back(context.tokens);
        }
        if self.pending == Some(false) {
            self.pending = None;
        }
    }

    fn spaced(&mut self, mut token: Tok) -> Tok {
        if let Some(space) = self.pending.take() {
            token.space = space;
        }
        token
    }

    /// What `name` means to the passes of the set.
    fn look_up(&mut self, name: Symbol) -> Result<Option<MacroId>, Split> {
        let found = self.walker.meaning(name, self.set, self.moment)?;
        self.note_read(name, found.map(|id| self.walker.macro_of(id).definition));
        Ok(found.filter(|_| !self.walker.is_word(name)))
    }

    /// Whether `name` is defined, for `defined`.
    pub(super) fn is_defined(&mut self, name: Symbol) -> Result<bool, Split> {
        let found = self.walker.definition(name, self.set, self.moment)?;
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

    /// The token itself when it is no invocation; else its replacement is what is read next.
    fn expand(&mut self, mut token: Tok) -> Result<Option<Tok>, Split> {
        if token.kind != TokenKind::Identifier || token.painted {
            return Ok(Some(token));
        }
        if self.effects.reads.is_none() && !self.walker.may_be_macro(token.text) {
            return Ok(Some(token));
        }
        let Some(id) = self.look_up(token.text)? else { return Ok(Some(token)) };
        if self.contexts.iter().any(|context| context.name == Some(token.text)) {
            token.painted = true;
            return Ok(Some(token));
        }
        if self.depth > DEPTH_LIMIT || self.made > REPLACEMENT_LIMIT {
            self.note_limit(token.text);
            return Ok(Some(token));
        }
        let definition = self.walker.macro_of(id);
        match definition.meaning {
            Meaning::Builtin(name) => self.builtin(token, name, definition.definition),
            Meaning::Object => {
                let within = self.within_replacement();
                if !within {
                    self.outermost = Some(Outermost { at: token.at, object: self.depth == 0 });
                }
                let expansion = self.begin(token, definition.definition);
                let invocation = Invocation {
                    name: token,
                    definition,
                    expansion,
                    arguments: Arguments::default(),
                    omitted: false,
                    within,
                };
                self.replace(invocation)?;
                Ok(None)
            }
            Meaning::Function { parameters, variadic } => {
                let led = self.within_replacement();
                if !led {
                    self.outermost = Some(Outermost { at: token.at, object: false });
                }
                if !self.at_parenthesis()? {
                    return Ok(Some(token));
                }
                // Where the parenthesis comes from the source, so do the arguments' lines, but for what an
                // object-like macro led to that stands in no argument (measured with GCC 12).
                let object = self.outermost.is_some_and(|outermost| outermost.object);
                let within = self.within_replacement() || led && object;
                let used = self.effects.used;
                let expansion = self.begin(token, definition.definition);
                let Some(arguments) = self.arguments(token, expansion, parameters, variadic)? else {
                    if self.contexts.is_empty() {
                        self.effects.used = used;
                    }
                    return Ok(Some(token));
                };
                let Some((arguments, omitted)) = self.matched(token, arguments, parameters, variadic) else {
                    return Ok(Some(token));
                };
                self.replace(Invocation { name: token, definition, expansion, arguments, omitted, within })?;
                Ok(None)
            }
        }
    }

    /// Whether the token at hand comes from a replacement list, or an argument in what one led to.
    fn within_replacement(&self) -> bool {
        let mut level = self.contexts.iter().rev().take_while(|context| !context.closed);
        self.led || level.any(|context| context.name.is_some())
    }

    fn note_limit(&mut self, name: Symbol) {
        if !self.limited {
            self.limited = true;
            self.effects.problems.push(format!("the expansion at `{name}` is too deep or too long to go on"));
        }
    }

    fn begin(&mut self, name: Tok, definition: DefinitionId) -> ExpansionId {
        let invoked = name.spelled;
        self.walker.add_expansion(Expansion { parent: name.expansion, definition, invoked, passes: self.set })
    }

    fn replace(&mut self, mut invocation: Invocation<'_>) -> Result<(), Split> {
        let definition = invocation.definition;
        let mut tokens = self.walker.spare();
        if let Meaning::Object = definition.meaning
            && !definition.pastes
        {
            tokens.extend(definition.body.iter().map(|token| invocation.token(token)));
        } else {
            self.expand_arguments(&mut invocation)?;
            self.substitute(&invocation, &definition.body, &mut tokens);
            self.walker.give_back(invocation.arguments.tokens);
            for argument in invocation.arguments.list {
                argument.expanded.into_iter().for_each(|expanded| self.walker.give_back(expanded));
            }
        }
        self.made += tokens.len();
        pad(&mut self.pending, &invocation.name.padding(invocation.name.space));
        let name = Some(invocation.name.text);
        self.contexts.push(Context { tokens, next: 0, name, closed: false });
        Ok(())
    }

    /// Whether `(` is what comes next.
    fn at_parenthesis(&mut self) -> Result<bool, Split> {
        loop {
            let Some(context) = self.contexts.last() else {
                let peek = self.walker.peek(self.effects.used, self.set, self.floor)?;
                return Ok(peek == Peek::Parenthesis);
            };
            match context.tokens.get(context.next).copied() {
                Some(token) if token.is_padding() => {
                    pad(&mut self.pending, &token);
                    self.contexts.last_mut().expect("it was just read").next += 1;
                }
                Some(token) => return Ok(token.is(sym::LPAREN)),
                None if context.closed => return Ok(false),
                None => self.leave_context(),
            }
        }
    }
}

/// GCC's rule for padding: the first one with a source decides, unless it has no white space and a right
/// edge follows it.
fn pad(pending: &mut Option<bool>, padding: &Tok) {
    match (padding.painted, *pending) {
        (true, Some(false)) => *pending = None,
        (false, None) => *pending = Some(padding.space),
        _ => {}
    }
}

/// A name that conditions understand themselves.
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
