//! Macro expansion ([cpp.replace]) of one invocation, or one directive's line, for one set of passes.
//!
//! An [`Expander`] is an ordinary single-pass expander, GCC's algorithm: a stack of contexts, a
//! macro disabled while its context is open, a disabled name painted for good. It works for a set of
//! passes only as long as they agree. Where they do not (a macro defined differently, a following
//! token that only some have) it gives up with [`Split`], and its caller starts again with the parts.
//! Nothing it did is visible before it succeeds or reads over a directive: effects are returned, not made.

use std::ops::Range;

use crate::source::{Span, Symbol, TokenKind, lex, sym, written_identifier};
use crate::target::PassSet;

use super::ahead::{Moment, Peek, Raw};
use super::directives::is_for_compiler;
use super::macros::{BodyToken, Macro, MacroId, Meaning, Role, Tok};
use super::tokens::{DefinitionId, Expansion, ExpansionId};
use super::walk::{Walker, unquoted};

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

struct Context {
    tokens: Vec<Tok>,
    next: usize,
    /// The macro whose replacement this is.
    name: Option<Symbol>,
    /// Reading stops at its end: a macro argument, or a directive's line.
    closed: bool,
}

/// The arguments of an invocation.
#[derive(Default)]
struct Arguments {
    /// The tokens of all of them, as they were read.
    tokens: Vec<Tok>,
    list: Vec<Argument>,
}

/// An argument of an invocation.
struct Argument {
    /// Which of the tokens are its own.
    range: Range<usize>,
    /// The replacement list uses it expanded.
    wanted: bool,
    /// What it is expanded, if that is anything else.
    expanded: Option<Vec<Tok>>,
}

impl Arguments {
    /// An argument as it was read.
    fn plain(&self, index: usize) -> &[Tok] {
        &self.tokens[self.list[index].range.clone()]
    }

    /// An argument that is wanted expanded, expanded.
    fn expanded(&self, index: usize) -> &[Tok] {
        debug_assert!(self.list[index].wanted, "a parameter beside no `##` was expanded");
        self.list[index].expanded.as_deref().unwrap_or_else(|| self.plain(index))
    }

    fn push(&mut self, range: Range<usize>) {
        self.list.push(Argument { range, wanted: false, expanded: None });
    }
}

/// Arguments being read.
struct Reading {
    arguments: Arguments,
    /// Where the one at hand begins.
    start: usize,
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
                    arguments.push(self.start..arguments.tokens.len());
                    return true;
                }
                sym::RPAREN => self.depth -= 1,
                sym::COMMA if self.depth == 0 && arguments.list.len() < self.cuts => {
                    arguments.push(self.start..arguments.tokens.len());
                    self.start = arguments.tokens.len();
                    return false;
                }
                _ => {}
            }
        }
        if token.expansion == self.outer || token.expansion.is_none() {
            token.expansion = Some(self.expansion);
        }
        arguments.tokens.push(token);
        false
    }
}

/// An invocation being replaced.
struct Invocation<'m> {
    name: Tok,
    definition: &'m Macro,
    expansion: ExpansionId,
    arguments: Arguments,
    /// No argument stands for the `...` parameter at all.
    omitted: bool,
    /// A replacement list led to it, arguments and all.
    within: bool,
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

/// When one invocation has been replaced by this many tokens, what is left of it is left alone.
const REPLACEMENT_LIMIT: usize = 1_000_000;

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
        Expander {
            walker,
            set,
            effects: Effects::default(),
            unread: false,
            contexts: Vec::new(),
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
            let walker = &*self.walker;
            while let Some(token) = context.tokens.get(context.next) {
                if token.is_padding() {
                    pad(&mut self.pending, token);
                } else if token.kind == TokenKind::Identifier
                    && !token.painted
                    && (reads || walker.may_be_macro(token.text))
                {
                    return;
                } else {
                    out.push(*token);
                    if let Some(space) = self.pending.take()
                        && let Some(last) = out.last_mut()
                    {
                        last.space = space;
                    }
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
        let definition = self.walker.macro_of(id).clone();
        match definition.meaning {
            Meaning::Builtin(name) => self.builtin(token, name, definition.definition),
            Meaning::Object => {
                let within = self.within_replacement();
                if !within {
                    self.outermost = Some(Outermost { at: token.at, object: true });
                }
                let expansion = self.begin(token, definition.definition);
                let invocation = Invocation {
                    name: token,
                    definition: &definition,
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
                // object-like macro led to (measured with GCC 12).
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
                self.replace(Invocation {
                    name: token,
                    definition: &definition,
                    expansion,
                    arguments,
                    omitted,
                    within,
                })?;
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

    /// Reads `( … )` and cuts it at its commas. `None` when nothing closes it.
    fn arguments(
        &mut self,
        name: Tok,
        expansion: ExpansionId,
        parameters: usize,
        variadic: bool,
    ) -> Result<Option<Arguments>, Split> {
        self.next()?;
        let arguments = Arguments { tokens: self.walker.spare(), list: Vec::with_capacity(parameters) };
        let cuts = if variadic { parameters.saturating_sub(1) } else { usize::MAX };
        let mut reading = Reading { arguments, start: 0, depth: 0, cuts, outer: name.expansion, expansion };
        loop {
            if self.read_plain(&mut reading) {
                break;
            }
            let Some(mut token) = self.next()? else {
                self.effects
                    .problems
                    .push(format!("unterminated argument list invoking macro `{}`", name.text));
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
        let walker = &*self.walker;
        let Some(context) = self.contexts.last_mut() else { return false };
        while let Some(token) = context.tokens.get(context.next) {
            if token.kind == TokenKind::Identifier && walker.may_be_macro(token.text) {
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
        false
    }

    /// Fits the arguments to the parameters; says whether the variadic one was left out.
    fn matched(
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
            arguments.push(end..end);
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
    fn expand_arguments(&mut self, invocation: &mut Invocation<'_>) -> Result<(), Split> {
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
            let expanded = self.expand_apart(invocation.arguments.plain(index), invocation.within)?;
            invocation.arguments.list[index].expanded = expanded;
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

    /// Puts the arguments into `body` ([cpp.subst], [cpp.stringize], [cpp.concat]).
    fn substitute(&mut self, invocation: &Invocation<'_>, body: &[BodyToken], out: &mut Vec<Tok>) {
        let mut index = 0;
        let mut pasting = false;
        while let Some(token) = body.get(index) {
            index += 1;
            let own = invocation.token(token);
            let begin = out.len();
            match token.role {
                Role::Plain => out.push(own),
                Role::Stringize(parameter) => {
                    let text = self.stringized(invocation.arguments.plain(parameter));
                    out.push(own.with(TokenKind::String, &text));
                }
                Role::Parameter(parameter) if pasting && self.after_gnu_comma(invocation, parameter, out) => {
                    pasting = token.pastes;
                    if invocation.omitted {
                        out.pop();
                    }
                    out.extend_from_slice(invocation.arguments.plain(parameter));
                    continue;
                }
                Role::Parameter(parameter) if pasting || token.pastes => {
                    out.extend_from_slice(invocation.arguments.plain(parameter));
                    match out.get_mut(begin) {
                        Some(first) => first.space = own.space,
                        None => out.push(own.padding(own.space)),
                    }
                }
                Role::Parameter(parameter) => {
                    out.push(own.padding(own.space));
                    out.extend_from_slice(invocation.arguments.expanded(parameter));
                    out.push(own.right_edge());
                }
                Role::Optional { length, stringize } => {
                    let inner = &body[index..index + length];
                    index += length;
                    let piece = self.optional(invocation, inner, own, stringize);
                    out.extend(piece);
                }
            }
            if pasting && begin > 0 && begin < out.len() {
                self.paste_at(begin, out);
            }
            pasting = token.pastes;
        }
    }

    /// `, ## __VA_ARGS__`: GCC does not paste here, and drops the comma when the argument is left out.
    fn after_gnu_comma(&self, invocation: &Invocation<'_>, parameter: usize, out: &[Tok]) -> bool {
        let variadic = match invocation.definition.meaning {
            Meaning::Function { parameters, variadic } => variadic && parameter + 1 == parameters,
            _ => false,
        };
        variadic && out.last().is_some_and(|token| token.is(sym::COMMA))
    }

    /// What `__VA_OPT__ ( inner )` becomes.
    fn optional(
        &mut self,
        invocation: &Invocation<'_>,
        inner: &[BodyToken],
        own: Tok,
        stringize: bool,
    ) -> Vec<Tok> {
        let variadic = invocation.arguments.list.len().checked_sub(1);
        let variadic = variadic.map_or(&[][..], |last| invocation.arguments.expanded(last));
        let mut piece = Vec::new();
        if variadic.iter().any(|token| !token.is_padding()) {
            self.substitute(invocation, inner, &mut piece);
        }
        if stringize {
            piece.retain(|token| !token.is_padding());
            return vec![own.with(TokenKind::String, &self.stringized(&piece))];
        }
        match piece.first_mut() {
            Some(first) => first.space = own.space,
            None => piece.push(own.padding(own.space)),
        }
        piece
    }

    /// The string literal `#` makes of an argument ([cpp.stringize]): what was written.
    fn stringized(&self, tokens: &[Tok]) -> String {
        let mut text = String::from('"');
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 && token.space {
                text.push(' ');
            }
            let literal = matches!(token.kind, TokenKind::String | TokenKind::Character);
            for c in self.written(token).chars() {
                match c {
                    '"' | '\\' if literal => text.extend(['\\', c]),
                    '\n' if literal => text.push_str("\\n"),
                    _ => text.push(c),
                }
            }
        }
        // A backslash that would escape the closing quote is dropped, as GCC does.
        let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        text
    }

    /// A token's own spelling: a digraph is not the punctuator that it means, nor a universal character
    /// name the character.
    fn written(&self, token: &Tok) -> &'static str {
        let digraph = match token.text {
            sym::LBRACKET => "<:",
            sym::RBRACKET => ":>",
            sym::LBRACE => "<%",
            sym::RBRACE => "%>",
            sym::HASH => "%:",
            sym::HASH_HASH => "%:%:",
            text if token.kind != TokenKind::Identifier || text.as_str().is_ascii() => return text.as_str(),
            _ => "",
        };
        let file = self.walker.sources.file(token.spelled.file);
        let text = file.text.get(token.spelled.offset as usize..).unwrap_or_default();
        if token.kind != TokenKind::Identifier {
            return if text.starts_with(digraph) { digraph } else { token.text.as_str() };
        }
        // A pasted one is not written anywhere.
        let name = written_identifier(text);
        let is_it = matches!(lex(name)[..], [one] if one.text == token.text);
        if is_it { Symbol::intern(name).as_str() } else { token.text.as_str() }
    }

    /// Joins the token at `index` with the one before it ([cpp.concat]); both stay when they do not make
    /// one.
    fn paste_at(&mut self, index: usize, out: &mut Vec<Tok>) {
        let (left, right) = (out[index - 1], out[index]);
        let made = if right.is_padding() {
            left
        } else if left.is_padding() {
            Tok { space: left.space, ..right }
        } else {
            let text = format!("{}{}", left.text, right.text);
            let joined = lex(&text);
            match joined[..] {
                [token] if token.end as usize == text.len() => {
                    Tok { kind: token.kind, text: token.text, painted: false, ..left }
                }
                _ => {
                    let message =
                        format!("pasting `{}` and `{}` does not give a token", left.text, right.text);
                    self.effects.problems.push(message);
                    return;
                }
            }
        };
        out[index - 1] = made;
        out.remove(index);
    }

    fn builtin(&mut self, token: Tok, name: Symbol, id: DefinitionId) -> Result<Option<Tok>, Split> {
        let (kind, text) = match name {
            sym::PRAGMA_OPERATOR => return self.pragma_operator(token),
            // Like GCC: where it is written or, in what a macro leads to, where that macro is invoked.
            sym::LINE_MACRO => {
                let outermost = self.outermost.filter(|_| self.within_replacement());
                let at = outermost.map_or(token.at, |outermost| outermost.at);
                (TokenKind::Number, self.walker.line_at(at, self.set, self.moment)?.to_string())
            }
            // Like GCC: as the file is called where reading has come to.
            sym::FILE_MACRO => {
                let at = self.reached.unwrap_or(token.at);
                (TokenKind::String, quoted(&self.walker.name_at(at, self.set, self.moment)?))
            }
            sym::INCLUDE_LEVEL => (TokenKind::Number, self.moment.level.to_string()),
            sym::COUNTER => {
                let settled = &self.effects.settled.counted;
                let value = match settled.get(self.effects.counted.len()) {
                    Some(value) => *value,
                    None => {
                        let further = self.effects.counted.len() - settled.len();
                        self.walker.counter(self.set)? + further as u32
                    }
                };
                self.effects.counted.push(value);
                (TokenKind::Number, value.to_string())
            }
            _ => match self.walker.builtin_text(name) {
                Some(found) => found,
                None => return Ok(Some(token)),
            },
        };
        let expansion = self.begin(token, id);
        Ok(Some(Tok { expansion: Some(expansion), ..token.with(kind, &text) }))
    }

    /// `_Pragma("…")` leaves no token of the program, only what says where it stood.
    fn pragma_operator(&mut self, token: Tok) -> Result<Option<Tok>, Split> {
        if !self.at_parenthesis()? {
            return Ok(Some(token));
        }
        self.next()?;
        let mut depth = 1;
        let mut text = String::new();
        while depth > 0 {
            let Some(next) = self.next()? else { break };
            match next.text {
                sym::LPAREN => depth += 1,
                sym::RPAREN => depth -= 1,
                _ => text.push_str(next.text.as_str()),
            }
        }
        let content = unquoted(&text);
        let made = token.pragma(&content);
        self.effects.pragmas.push(content);
        pad(&mut self.pending, &token.padding(token.space));
        Ok(is_for_compiler(&lex(made.text.as_str())[2..]).then_some(made))
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

impl Invocation<'_> {
    /// A token of the replacement list, placed where the macro was invoked.
    fn token(&self, token: &BodyToken) -> Tok {
        Tok {
            kind: token.kind,
            space: token.space,
            line_start: false,
            painted: false,
            text: token.text,
            at: self.name.at,
            spelled: token.spelled.unwrap_or(self.name.spelled),
            expansion: Some(self.expansion),
            group: self.name.group,
        }
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

/// A string literal that holds `text`.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
