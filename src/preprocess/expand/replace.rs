//! Macro replacement ([cpp.replace]): names looked up, invocations replaced, the result rescanned.
//!
//! GCC's algorithm: a macro is disabled while its context is open, a disabled name is painted for good, and arguments
//! are expanded in the order of their uses.

use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::{DefinitionId, Expansion, ExpansionId};
use crate::source::{Symbol, TokenKind, sym};

use super::arguments::{Arguments, fitted};
use super::definition::{Macro, Meaning, Role};
use super::effects::Split;
use super::host::{Host, TokenSource};
use super::reader::{Expander, Outermost};
use super::substitute::{Invocation, LONGEST_LIST, Substitution};
use super::token::Tok;

/// Invocations nested deeper than this in one another's arguments are left alone.
const DEPTH_LIMIT: usize = 200;

/// When one invocation has been replaced by this many tokens, what is left of it is left alone. Macros that pick types
/// for kernels, eight of them in one another's arguments, make some millions.
const REPLACEMENT_LIMIT: usize = 8_000_000;

/// How many tokens replacements make for the work of one.
const MADE_AT_ONCE: usize = 4;

impl<'u, H: Host<'u>, S: TokenSource<H>> Expander<'_, 'u, H, S> {
    /// The expansion of `head` and of the source tokens that it takes as arguments.
    pub(crate) fn invocation(&mut self, head: Tok) -> Result<Vec<Tok>, Split> {
        let mut out = self.host.scratch().list();
        if let Some(plain) = self.expand(head)? {
            out.push(plain);
        }
        loop {
            self.take_plain(&mut out);
            let Some(token) = self.next_in_contexts() else { break };
            if let Some(plain) = self.expand(token)? {
                out.push(plain);
            }
            self.end_if_long(&out);
        }
        if let Some(first) = out.first_mut() {
            first.line_start = head.line_start;
        }
        Ok(out)
    }

    /// Leaves alone what is not expanded yet when an expansion has come to too many tokens.
    fn end_if_long(&mut self, out: &[Tok]) {
        if out.len() > LONGEST_LIST {
            self.nesting.made = usize::MAX;
        }
    }

    /// The next token, fully expanded.
    pub(crate) fn next_expanded(&mut self) -> Result<Option<Tok>, Split> {
        while let Some(token) = self.next()? {
            if let Some(plain) = self.expand(token)? {
                return Ok(Some(plain));
            }
        }
        Ok(None)
    }

    /// The token itself when it is no invocation; else its replacement is read next.
    fn expand(&mut self, mut token: Tok) -> Result<Option<Tok>, Split> {
        if token.kind != TokenKind::Identifier || token.painted {
            return Ok(Some(token));
        }
        if self.effects.reads.is_none() && !self.host.macros().may_be_macro(token.text) {
            return Ok(Some(token));
        }
        let Some(id) = self.look_up(token.text)? else { return Ok(Some(token)) };
        if self.contexts.disables(token.text) {
            token.painted = true;
            return Ok(Some(token));
        }
        if self.nesting.depth > DEPTH_LIMIT
            || self.nesting.made > REPLACEMENT_LIMIT
            || self.nesting.held > LONGEST_LIST
        {
            self.report_limit(token.text);
            return Ok(Some(token));
        }
        if !self.host.may_go_on() {
            return Ok(Some(token));
        }
        let definition = self.host.macros().get(id);
        match definition.meaning {
            Meaning::Builtin(sym::PRAGMA_OPERATOR) => self.pragma_operator(token),
            Meaning::Builtin(name) => self.builtin(token, name, definition.definition),
            Meaning::Object => self.object(token, definition),
            Meaning::Function { parameters, variadic } => {
                self.function(token, definition, parameters, variadic)
            }
        }
    }

    fn builtin(&mut self, token: Tok, name: Symbol, definition: DefinitionId) -> Result<Option<Tok>, Split> {
        let Some((kind, text)) = self.computed(&token, name)? else { return Ok(Some(token)) };
        let expansion = self.begin(token, definition);
        Ok(Some(Tok { expansion: Some(expansion), ..token.with(kind, &text) }))
    }

    fn object(&mut self, token: Tok, definition: &'u Macro) -> Result<Option<Tok>, Split> {
        let within = self.within_replacement();
        if !within {
            let object = self.nesting.depth == 0;
            self.nesting.outermost = Some(Outermost { at: token.at, object });
        }
        let expansion = self.begin(token, definition.definition);
        let (name, arguments, omitted) = (token, Arguments::default(), false);
        self.replace(Invocation { name, definition, expansion, arguments, omitted, within })?;
        Ok(None)
    }

    fn function(
        &mut self,
        token: Tok,
        definition: &'u Macro,
        parameters: usize,
        variadic: bool,
    ) -> Result<Option<Tok>, Split> {
        let led = self.within_replacement();
        if !led {
            self.nesting.outermost = Some(Outermost { at: token.at, object: false });
        }
        if !self.at_parenthesis()? {
            return Ok(Some(token));
        }
        // Where the parenthesis comes from the source, so do the arguments' lines, but for what an object-like macro
        // led to that stands in no argument (measured with GCC 12).
        let object = self.nesting.outermost.is_some_and(|outermost| outermost.object);
        let within = self.within_replacement() || led && object;
        let used = self.effects.used;
        let expansion = self.begin(token, definition.definition);
        let Some(arguments) = self.arguments(token, expansion, parameters, variadic)? else {
            if self.contexts.stack.is_empty() {
                self.effects.used = used;
            }
            return Ok(Some(token));
        };
        match fitted(token.text, arguments, parameters, variadic) {
            Ok((arguments, omitted)) => {
                self.replace(Invocation { name: token, definition, expansion, arguments, omitted, within })?;
                Ok(None)
            }
            Err(problem) => {
                self.effects.problems.push(problem);
                Ok(Some(token))
            }
        }
    }

    fn report_limit(&mut self, name: Symbol) {
        if !self.nesting.limited {
            self.nesting.limited = true;
            self.effects.problems.push(ProblemKind::ExpansionLimit(name));
        }
    }

    fn begin(&mut self, name: Tok, definition: DefinitionId) -> ExpansionId {
        let (parent, invoked, passes) = (name.expansion, name.spelled, self.set);
        let expansions = self.host.expansions();
        expansions.push(Expansion { parent, definition, invoked, passes });
        ExpansionId::new(expansions.len() - 1)
    }

    fn replace(&mut self, mut invocation: Invocation<'_>) -> Result<(), Split> {
        let definition = invocation.definition;
        let mut tokens = self.host.scratch().list();
        let mut spelled = 0;
        if let Meaning::Object = definition.meaning
            && !definition.pastes
        {
            tokens.extend(definition.body.iter().map(|token| invocation.token(token)));
        } else {
            self.expand_arguments(&mut invocation)?;
            let (sources, problems) = (self.host.sources(), &mut self.effects.problems);
            let mut substitution = Substitution { invocation: &invocation, sources, problems, spelled: 0 };
            // What an argument came to may be too much already.
            if self.nesting.made <= REPLACEMENT_LIMIT {
                substitution.substitute(&definition.body, &mut tokens);
            }
            spelled = substitution.spelled;
            let scratch = self.host.scratch();
            scratch.give_back(invocation.arguments.tokens);
            for argument in invocation.arguments.list {
                argument.expanded.into_iter().for_each(|expanded| scratch.give_back(expanded));
            }
        }
        self.nesting.made = self.nesting.made.saturating_add(tokens.len());
        let made = tokens.len().max(1) + spelled;
        self.host.spend(made.div_ceil(MADE_AT_ONCE));
        self.contexts.pad(&invocation.name.padding(invocation.name.space));
        self.contexts.open_replacement(tokens, invocation.name.text);
        Ok(())
    }

    // ---- arguments ----

    /// Expands each argument that the replacement list uses other than beside `#` or `##`, in the order of
    /// their uses, like GCC.
    pub(crate) fn expand_arguments(&mut self, invocation: &mut Invocation<'_>) -> Result<(), Split> {
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
            let names = invocation.arguments.list[index].names || self.host.macros().has_changes();
            if names || self.effects.reads.is_some() {
                let expanded = self.expand_apart(invocation.arguments.plain(index), invocation.within)?;
                invocation.arguments.list[index].expanded = expanded;
            }
        }
        Ok(())
    }

    /// The expansion of an argument as if nothing followed it ([cpp.subst]); none if it stays as it is.
    fn expand_apart(&mut self, tokens: &[Tok], within: bool) -> Result<Option<Vec<Tok>>, Split> {
        let reads = self.effects.reads.is_some();
        let macros = self.host.macros();
        let may_change =
            |token: &Tok| token.kind == TokenKind::Identifier && (reads || macros.may_be_macro(token.text));
        if !tokens.iter().any(may_change) {
            return Ok(None);
        }
        let mut fed = self.host.scratch().list();
        fed.extend_from_slice(tokens);
        let last = tokens.last().copied();
        // A padding without white space stands before the argument, the parameter's.
        let pending = self.contexts.space.replace(false);
        let around = (self.nesting.outermost, self.nesting.led);
        self.nesting.led |= within;
        let open = self.contexts.stack.len();
        self.feed(fed);
        self.nesting.depth += 1;
        self.nesting.held += tokens.len();
        let mut out = self.host.scratch().list();
        loop {
            self.take_plain(&mut out);
            let Some(token) = self.next()? else { break };
            if let Some(plain) = self.expand(token)? {
                out.push(plain);
            }
            self.end_if_long(&out);
        }
        self.nesting.held -= tokens.len();
        self.nesting.depth -= 1;
        debug_assert_eq!(self.contexts.stack.len(), open + 1, "the argument's context is on top");
        if let Some(context) = self.contexts.stack.pop() {
            self.host.scratch().give_back(context.tokens);
        }
        if let Some(first) = out.first().copied().filter(|first| first.space) {
            out.insert(0, first.right_edge());
        }
        if let Some(last) = last {
            if out.is_empty() && self.contexts.space != Some(false) {
                out.push(last.right_edge());
            }
            out.extend(self.contexts.space.map(|space| last.padding(space)));
        }
        self.contexts.space = pending;
        (self.nesting.outermost, self.nesting.led) = around;
        Ok(Some(out))
    }
}
