//! The outcome of the stage, as plain data.

use std::ops::Range;
use std::sync::Arc;

use super::cut::{Scope, TopDeclaration};
use super::names::VaryingNames;

/// The top-level declarations of a unit, and the names that vary.
#[derive(Clone, Debug, Default)]
pub struct Variance {
    /// Every declaration at namespace scope, ordered by first token, then by lowest pass.
    pub declarations: Vec<TopDeclaration>,
    /// Every scope; index 0 is the global namespace.
    pub scopes: Vec<Scope>,
    /// The tokens that not every pass has.
    pub partial: PartialTokens,
    /// Names whose meaning may differ between passes.
    pub varying: Arc<VaryingNames>,
}

/// The tokens that not every pass has.
#[derive(Clone, Debug, Default)]
pub struct PartialTokens(pub(super) Arc<[usize]>);

impl PartialTokens {
    /// Their indices among [`crate::preprocess::Preprocessed::tokens`], ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    /// Those of a range of the tokens, ascending.
    pub fn within(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|index| *index < range.start);
        let end = self.0.partition_point(|index| *index < range.end);
        self.0[first..end.max(first)].iter().copied()
    }
}
