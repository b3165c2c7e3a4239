//! A function with a body, as tokens tell.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};

/// A function with a body.
#[derive(Clone, Debug)]
pub(in crate::facts) struct FunctionTokens {
    /// The declaration that it is, or is a part of.
    pub top: usize,
    /// The index of the token that is its name, or the last one of that.
    pub name: usize,
    /// How code uses it.
    pub used_by: UsedBy,
    /// It is templated ([temp.pre]/8): nothing is instantiated unless it is used.
    pub is_templated: bool,
    /// The tokens before its body, as indices into those of the unit.
    pub head: Range<usize>,
    /// Its body, braces included.
    pub body: Range<usize>,
}

/// The names by which code uses a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::facts) enum UsedBy {
    /// Its own.
    Name(Symbol),
    /// Those of its class, since no use has to spell its own: constructors, destructors, operators, conversions.
    Class(Vec<Symbol>),
}

impl FunctionTokens {
    /// Whether the head has a specifier, in some pass.
    pub(in crate::facts) fn has(&self, tokens: &[PpToken], specifier: Symbol) -> bool {
        tokens[self.head.clone()].iter().any(|token| token.text == specifier)
    }

    /// Whether the host calls it and no code of a GPU does.
    pub(in crate::facts) fn is_of_host_alone(&self, tokens: &[PpToken]) -> bool {
        !self.has(tokens, sym::GLOBAL) && !self.has(tokens, sym::DEVICE)
    }
}
