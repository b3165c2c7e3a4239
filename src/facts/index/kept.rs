//! The index of a unit's preamble, kept for the next analysis of the unit.

use std::sync::Arc;

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
}

impl KeptGraph {
    /// The graph over these facts, with empty caches.
    pub(super) fn new(tokens: Arc<PreambleTokenFacts>) -> KeptGraph {
        KeptGraph { tokens, closures: ClosureCache::default(), reachability: ReachabilityCache::default() }
    }
}
