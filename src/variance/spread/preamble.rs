//! The headers that units begin with, their preamble: the cut of it, and the facts of its declarations, kept for the next
//! unit, or the next text of the same one.
//!
//! **Invariant:** all of it follows from the tokens of the preamble, but for [`Settled`], which says what else it
//! follows from.

use std::sync::{Arc, Mutex, OnceLock};

use crate::variance::cut::{CutPrefix, Varies};
use crate::variance::names::{Namespaces, VaryingNames};

use super::declaration_facts::DeclarationFacts;

/// The preamble of a unit, analysed: the next unit with the same preamble goes on from it.
#[derive(Debug)]
pub struct PreambleVariance {
    pub(in crate::variance) cut: CutPrefix,
    pub(super) facts: OnceLock<DeclarationFacts>,
    settled: Mutex<Option<Arc<Settled>>>,
}

/// The fixpoint of the preamble's declarations alone.
#[derive(Debug)]
pub(super) struct Settled {
    /// The namespaces of the whole unit, which it follows from too.
    pub(super) namespaces: Namespaces,
    /// The reasons to vary of each declaration before the fixpoint, which it follows from too, and after it.
    pub(super) before: Vec<Varies>,
    pub(super) after: Vec<Varies>,
    /// The names that vary.
    pub(super) names: VaryingNames,
    /// Whether the names of each declaration are among them.
    pub(super) given: Vec<bool>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl PreambleVariance {
    /// A preamble that was only cut yet.
    pub(in crate::variance) fn new(cut: CutPrefix) -> PreambleVariance {
        PreambleVariance { cut, facts: OnceLock::new(), settled: Mutex::default() }
    }

    /// The fixpoint of the last unit, if it holds.
    pub(super) fn settled(&self, holds: impl FnOnce(&Settled) -> bool) -> Option<Arc<Settled>> {
        self.settled.lock().expect(NO_PANIC).clone().filter(|settled| holds(settled))
    }

    /// Keeps the fixpoint of this unit.
    pub(super) fn settle(&self, settled: Settled) {
        *self.settled.lock().expect(NO_PANIC) = Some(Arc::new(settled));
    }
}
