//! The effects of an expansion besides its tokens, and the two ways in which it can end early.
//!
//! An expander never carries out an effect: it returns them, and its caller carries them out once the expansion has
//! succeeded or is about to read past a directive.

use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::DefinitionId;
use crate::source::Symbol;
use crate::target::PassSet;

/// The passes of a set do not agree: these differ from the others. If they are the whole set, all of them must wait
/// for passes outside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split(pub(crate) PassSet);

/// Whether `part` holds the passes of `set`: all or none of them, else a [`Split`].
pub(crate) fn all_or_none(set: PassSet, part: PassSet) -> Result<bool, Split> {
    if part.contains(set) {
        Ok(true)
    } else if part.meets(set) {
        Err(Split(part.and(set)))
    } else {
        Ok(false)
    }
}

/// The side effects of an expansion; carried out before the next directive.
#[derive(Default)]
pub(crate) struct Effects {
    /// Each value that `__COUNTER__` had.
    pub(crate) counted: Vec<u32>,
    /// The contents of `_Pragma`s, in order.
    pub(crate) pragmas: Vec<String>,
    pub(crate) problems: Vec<ProblemKind>,
    /// How far they are carried out.
    pub(crate) settled: Settled,
    /// The macro names looked up, if they are wanted.
    pub(crate) reads: Option<Vec<(Symbol, Option<DefinitionId>)>>,
    /// An assertion was evaluated.
    pub(crate) asserted: bool,
    /// How many tokens of the look-ahead were used.
    pub(crate) used: usize,
}

/// How many of its [`Effects`] an expansion has carried out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Settled {
    /// Each value that `__COUNTER__` had.
    pub(crate) counted: Vec<u32>,
    /// How many pragmas.
    pub(crate) pragmas: usize,
    /// How many problems.
    pub(crate) problems: usize,
}
