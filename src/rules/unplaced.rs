//! A finding in an artifact before it has a place in the listing of the artifact.

use std::sync::Arc;

use crate::finding::{Certainty, Level, View};
use crate::target::Passes;

/// A finding in an artifact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub level: Level,
    /// How sure it is.
    pub certainty: Certainty,
    /// The fact with both sides, one line.
    pub message: String,
    /// The kernel or variable as C++ spells it.
    pub entity: String,
    /// The kind of entity, `kernel` or `variable`: the listing's line is this and the entity's name.
    pub what: &'static str,
    /// The label of that line, a phrase.
    pub label: String,
    /// The host and the architectures of the module's images.
    pub passes: Arc<Passes>,
    /// The sides: what each group of them has.
    pub views: Vec<View>,
    /// The consequences on which GPUs, one sentence each.
    pub consequences: Vec<String>,
    /// Further notes.
    pub notes: Vec<String>,
}
