//! The index of the headers that a unit begins with, kept for the next analysis of the unit.

use std::sync::Arc;

use super::name_graph::Answers;
use super::names::Named;
use super::token_facts::Digested;
use super::varying_kernels::Questions;

/// The index of the headers that a unit begins with.
#[derive(Clone, Debug, Default)]
pub struct KeptIndex {
    /// Names to the declarations that may declare them.
    pub(super) names: Option<Arc<Named>>,
    /// Their tokens, and which names lead to which.
    pub(super) graph: Option<Arc<KeptGraph>>,
}

/// What the tokens of headers say, and what was found from that.
#[derive(Debug)]
pub(super) struct KeptGraph {
    pub(super) tokens: Arc<Digested>,
    pub(super) answers: Answers,
    pub(super) questions: Questions,
}

impl KeptGraph {
    /// That of some headers, of which nothing was asked yet.
    pub(super) fn new(tokens: Arc<Digested>) -> KeptGraph {
        KeptGraph { tokens, answers: Answers::default(), questions: Questions::default() }
    }
}
