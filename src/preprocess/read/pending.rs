//! The tokens that were pulled before every pass could use them, and the invocations that wait for other passes.
//!
//! Tokens pulled ahead of their turn wait in a buffer; those that a class of passes uses are taken by removing that
//! class from their sets.

use std::collections::VecDeque;

use crate::preprocess::expand::effects::{Effects, Settled, Split, all_or_none};
use crate::preprocess::expand::host::Raw;
use crate::source::Span;
use crate::target::PassSet;

/// The look-ahead of a walk.
#[derive(Default)]
pub(crate) struct Pending {
    /// Tokens that wait, and the one being expanded.
    pub(crate) tokens: VecDeque<Raw>,
    /// All passes that have text among them, perhaps more.
    pub(crate) awaited: PassSet,
    /// Invocations that wait for other passes; their first tokens are still in the buffer.
    pub(crate) suspended: Vec<Suspended>,
    /// The effects that invocations which are begun again have carried out already.
    begun: Vec<(PassSet, Settled)>,
}

/// An invocation that waits until it may read past a directive.
pub(crate) struct Suspended {
    pub(crate) passes: PassSet,
    pub(crate) at: Span,
    pub(crate) effects: Effects,
}

impl Pending {
    /// Whether no token waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Whether no token waits and no invocation is to be begun again.
    pub(crate) fn is_idle(&self) -> bool {
        self.tokens.is_empty() && self.begun.is_empty()
    }

    /// Recomputes the passes that have text waiting.
    pub(crate) fn update_awaited(&mut self) {
        self.awaited = self.tokens.iter().fold(PassSet::EMPTY, |all, raw| all.or(raw.set));
    }

    /// The effects that an invocation for `set`, given up before, has carried out.
    pub(crate) fn settled(&self, set: PassSet) -> Result<Settled, Split> {
        for (passes, settled) in &self.begun {
            if all_or_none(set, *passes)? {
                return Ok(settled.clone());
            }
        }
        Ok(Settled::default())
    }

    /// Remembers them for when it is begun again.
    pub(crate) fn remember_settled(&mut self, set: PassSet, settled: Settled) {
        self.forget_settled(set);
        self.begun.push((set, settled));
    }

    /// Forgets them: the invocation has ended.
    pub(crate) fn forget_settled(&mut self, set: PassSet) {
        self.begun.iter_mut().for_each(|(passes, _)| *passes = passes.minus(set));
        self.begun.retain(|(passes, _)| !passes.is_empty());
    }
}
