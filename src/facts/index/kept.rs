//! The index of a unit's preamble, kept for the next analysis of the unit.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use crate::source::Symbol;
use crate::target::PassSet;

use super::leading_names::ClosureCache;
use super::names::PreambleNames;
use super::token_facts::PreambleTokenFacts;
use super::varying_kernels::ReachabilityCache;

/// The index of a unit's preamble.
#[derive(Clone, Debug, Default)]
pub struct KeptIndex {
    /// The declarations of each name.
    pub(super) names: Option<Arc<PreambleNames>>,
    /// The facts that the tokens tell, and the name graph over them.
    pub(super) graph: Option<Arc<KeptGraph>>,
}

/// The token facts of the preamble, with the results that were computed from them.
#[derive(Debug)]
pub(super) struct KeptGraph {
    pub(super) tokens: Arc<PreambleTokenFacts>,
    pub(super) closures: ClosureCache,
    pub(super) reachability: ReachabilityCache,
    pub(super) written_sets: PassSetCache<()>,
    pub(super) lowered_sets: PassSetCache<FxHashSet<Symbol>>,
}

/// The sets of passes that have some token of the preamble's declarations, for the last question by which they were found.
#[derive(Debug)]
pub(super) struct PassSetCache<Q>(Mutex<Option<(Q, Arc<FxHashSet<PassSet>>)>>);

impl<Q> Default for PassSetCache<Q> {
    fn default() -> PassSetCache<Q> {
        PassSetCache(Mutex::default())
    }
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "nothing is computed while the lock is held";

impl<Q: Clone + PartialEq> PassSetCache<Q> {
    /// The sets for this question.
    pub(super) fn get_or_find(
        &self,
        question: &Q,
        find: impl FnOnce() -> FxHashSet<PassSet>,
    ) -> Arc<FxHashSet<PassSet>> {
        let known = self.0.lock().expect(NO_PANIC).clone();
        if let Some((_, known)) = known.filter(|(asked, _)| asked == question) {
            return known;
        }
        let found = Arc::new(find());
        *self.0.lock().expect(NO_PANIC) = Some((question.clone(), Arc::clone(&found)));
        found
    }
}

impl KeptGraph {
    /// The index of the first declaration behind the preamble.
    pub(super) fn end(&self) -> usize {
        self.tokens.end()
    }

    /// The graph over these facts, with empty caches.
    pub(super) fn new(tokens: Arc<PreambleTokenFacts>) -> KeptGraph {
        KeptGraph {
            tokens,
            closures: ClosureCache::default(),
            reachability: ReachabilityCache::default(),
            written_sets: PassSetCache::default(),
            lowered_sets: PassSetCache::default(),
        }
    }
}
