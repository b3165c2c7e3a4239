//! The tokens of a range by which declarations around them vary, whichever these are.

use std::ops::Range;
use std::sync::Arc;

use crate::preprocess::Preprocessed;
use crate::target::PassSet;

use super::sizes::SizeMarks;

/// Tokens of one range that make declarations vary.
#[derive(Debug)]
pub(super) struct TokenMarks {
    /// The indices of the tokens that not every pass has, ascending.
    pub(super) partial: Arc<Vec<usize>>,
    /// The tokens that may give a declaration another size on the host than on GPUs.
    pub(super) sizes: SizeMarks,
}

impl TokenMarks {
    /// Marks a range of a unit's tokens; `all` are the passes that are compared.
    pub(super) fn of(unit: &Preprocessed, range: Range<usize>, all: PassSet) -> TokenMarks {
        let tokens = unit.tokens();
        let partial = range.clone().filter(|index| !tokens[*index].passes.contains(all)).collect();
        TokenMarks { partial: Arc::new(partial), sizes: SizeMarks::of(unit, range) }
    }
}
