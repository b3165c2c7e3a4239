//! The index of the headers that a unit begins with, kept for the next analysis of the unit.

use std::sync::Arc;

use super::name_graph::ClosureCache;
use super::names::HeaderNames;
use super::token_facts::HeaderTokenFacts;
use super::varying_kernels::ReachabilityCache;

/// The index of the headers that a unit begins with.
#[derive(Clone, Debug, Default)]
pub struct KeptIndex {
    /// Names to the declarations that may declare them.
    pub(super) names: Option<Arc<HeaderNames>>,
    /// Their tokens, and which names lead to which.
    pub(super) graph: Option<Arc<KeptGraph>>,
}

/// What the tokens of headers say, and what was found from that.
#[derive(Debug)]
pub(super) struct KeptGraph {
    pub(super) tokens: Arc<HeaderTokenFacts>,
    pub(super) answers: ClosureCache,
    pub(super) questions: ReachabilityCache,
}

impl KeptGraph {
    /// That of some headers, of which nothing was asked yet.
    pub(super) fn new(tokens: Arc<HeaderTokenFacts>) -> KeptGraph {
        KeptGraph { tokens, answers: ClosureCache::default(), questions: ReachabilityCache::default() }
    }
}
