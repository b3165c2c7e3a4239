//! Classes of passes that a cut can't tell apart so far: same scope, same open brackets, same first token of the
//! declaration at hand.
//!
//! A token that exists in a part of a class splits it; classes whose states have become equal are merged. Nearly
//! always there is one class.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind};
use crate::target::PassSet;

use super::declarations::ScopeId;
use super::describe::Shape;
use super::words::is_specifier;

/// Passes that are in the same state.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) passes: PassSet,
    pub(super) state: State,
    /// The declaration at hand may have different tokens in some of the passes.
    pub(super) uneven: bool,
}

impl Class {
    /// The token can't change the state.
    pub(super) fn ignores(&self, token: &PpToken) -> bool {
        token.kind != TokenKind::Punctuator && self.state.start.is_some()
    }
}

/// The state of the cut for some passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// The scope inside each open brace, outermost first; `namespace a::b {` has one.
    pub(super) scopes: Vec<ScopeId>,
    /// First token of the declaration at hand.
    pub(super) start: Option<usize>,
    /// Open brackets inside the declaration.
    pub(super) open: Vec<Symbol>,
    /// One `}` closed several braces.
    pub(super) closed_many: bool,
    pub(super) shape: Shape,
    /// The body's braces, the last one exclusive once it is known.
    pub(super) body: Range<usize>,
    /// A function try block whose handlers follow.
    pub(super) handlers: bool,
}

impl State {
    /// Between two declarations.
    pub(super) fn between(scopes: Vec<ScopeId>) -> State {
        State {
            scopes,
            start: None,
            open: Vec::new(),
            closed_many: false,
            shape: Shape::Plain,
            body: 0..0,
            handlers: false,
        }
    }

    /// A `{` before the first declaration of a scope.
    pub(super) fn enter(&mut self, scope: ScopeId) {
        let mut scopes = std::mem::take(&mut self.scopes);
        scopes.push(scope);
        *self = State::between(scopes);
    }

    /// The innermost scope.
    pub(super) fn scope(&self) -> ScopeId {
        self.scopes.last().copied().unwrap_or(ScopeId::GLOBAL)
    }
}

/// Makes one class of those whose states are equal. Their declaration then has different tokens.
pub(super) fn merge(classes: &mut Vec<Class>, tokens: &[PpToken]) {
    let mut kept: Vec<Class> = Vec::with_capacity(classes.len());
    for class in classes.drain(..) {
        match kept.iter_mut().find(|other| are_one(&other.state, &class.state, tokens)) {
            Some(other) => {
                other.passes = other.passes.or(class.passes);
                other.uneven |= class.uneven || class.state.start.is_some();
                other.state.start = other.state.start.min(class.state.start);
            }
            None => kept.push(class),
        }
    }
    *classes = kept;
}

/// The states are equal, except that one declaration may begin with specifiers that the other lacks.
fn are_one(one: &State, other: &State, tokens: &[PpToken]) -> bool {
    if one == other {
        return true;
    }
    let (Some(first), Some(second)) = (one.start, other.start) else { return false };
    let specifiers =
        tokens[first.min(second)..first.max(second)].iter().all(|token| is_specifier(token.text));
    specifiers && State { start: other.start, ..one.clone() } == *other
}
