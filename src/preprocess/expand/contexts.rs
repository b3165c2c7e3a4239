//! The context stack of an expansion: token lists being rescanned, and the white space between them.
//!
//! GCC's algorithm: a replacement list, a macro argument or a directive's line is a context; a macro is disabled while
//! the context of its replacement list is open.

use crate::source::Symbol;

use super::token::Tok;

/// A token list being read.
pub(crate) struct Context {
    pub(super) tokens: Vec<Tok>,
    pub(super) next: usize,
    /// The macro whose replacement list it is.
    pub(super) name: Option<Symbol>,
    /// Reading stops at its end: a macro argument, or a directive's line.
    pub(super) closed: bool,
}

/// Empty lists for reuse.
#[derive(Default)]
pub(crate) struct Scratch {
    lists: Vec<Vec<Tok>>,
    contexts: Vec<Context>,
}

/// The capacity of lists that are not kept for reuse.
const LARGE_LIST: usize = 1 << 16;

impl Scratch {
    /// An empty list.
    pub(crate) fn list(&mut self) -> Vec<Tok> {
        self.lists.pop().unwrap_or_else(|| Vec::with_capacity(64))
    }

    /// Takes back a list that is no longer used. The memory of a large one is given up.
    pub(crate) fn give_back(&mut self, mut list: Vec<Tok>) {
        if (1..LARGE_LIST).contains(&list.capacity()) {
            list.clear();
            self.lists.push(list);
        }
    }

    /// An empty context stack.
    pub(super) fn contexts(&mut self) -> ContextStack {
        ContextStack { stack: std::mem::take(&mut self.contexts), space: None }
    }

    /// Takes back a context stack.
    pub(super) fn give_back_contexts(&mut self, mut contexts: ContextStack) {
        while let Some(context) = contexts.stack.pop() {
            self.give_back(context.tokens);
        }
        self.contexts = contexts.stack;
    }
}

/// The open contexts, innermost last.
pub(super) struct ContextStack {
    pub(super) stack: Vec<Context>,
    /// White space before the next token, as GCC's padding decides it.
    pub(super) space: Option<bool>,
}

impl ContextStack {
    /// Opens the context of a macro's replacement list.
    pub(super) fn open_replacement(&mut self, tokens: Vec<Tok>, name: Symbol) {
        self.stack.push(Context { tokens, next: 0, name: Some(name), closed: false });
    }

    /// Opens a context at whose end reading stops.
    pub(super) fn open_closed(&mut self, tokens: Vec<Tok>) {
        self.stack.push(Context { tokens, next: 0, name: None, closed: true });
    }

    /// Opens a context that belongs to no macro.
    pub(super) fn open_plain(&mut self, tokens: Vec<Tok>) {
        self.stack.push(Context { tokens, next: 0, name: None, closed: false });
    }

    /// Whether the macro is disabled: its replacement list is being read.
    pub(super) fn disables(&self, name: Symbol) -> bool {
        self.stack.iter().any(|context| context.name == Some(name))
    }

    /// Whether the token at hand comes from a replacement list, within the innermost argument or line.
    pub(super) fn in_replacement(&self) -> bool {
        self.stack.iter().rev().take_while(|context| !context.closed).any(|context| context.name.is_some())
    }

    /// The next token of the open contexts.
    pub(super) fn next(&mut self, scratch: &mut Scratch) -> Option<Tok> {
        loop {
            let context = self.stack.last_mut()?;
            if let Some(token) = context.tokens.get(context.next).copied() {
                context.next += 1;
                if token.is_padding() {
                    self.pad(&token);
                    continue;
                }
                return Some(self.spaced(token));
            }
            if context.closed {
                return None;
            }
            self.leave(scratch);
        }
    }

    /// Closes the innermost context, whose end is reached.
    pub(super) fn leave(&mut self, scratch: &mut Scratch) {
        if let Some(context) = self.stack.pop() {
            scratch.give_back(context.tokens);
        }
        if self.space == Some(false) {
            self.space = None;
        }
    }

    /// The token with the white space that padding before it decided.
    pub(super) fn spaced(&mut self, mut token: Tok) -> Tok {
        if let Some(space) = self.space.take() {
            token.space = space;
        }
        token
    }

    /// Takes padding in.
    pub(super) fn pad(&mut self, padding: &Tok) {
        pad(&mut self.space, padding);
    }
}

/// GCC's rule for padding: the first one with a source decides, unless it has no white space and a right
/// edge follows it.
pub(super) fn pad(pending: &mut Option<bool>, padding: &Tok) {
    match (padding.painted, *pending) {
        (true, Some(false)) => *pending = None,
        (false, None) => *pending = Some(padding.space),
        _ => {}
    }
}
