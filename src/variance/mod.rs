//! Which declarations, and then which names, differ between passes.
//!
//! In: [`Preprocessed`] tokens. Out: [`Variance`]: the unit cut into top-level declarations by
//! bracket structure alone, which of them vary, and which names vary with them (a fixpoint). This
//! is the filter in front of all parsing, so it errs towards "varies" and never the other way.
//! Knows nothing of trees.

mod declarations;

pub use declarations::{DeclKind, Scope, ScopeId, TopDeclaration, Variance, Varies};

use crate::preprocess::Preprocessed;
use crate::target::PassSet;

/// Cuts a unit into declarations and says which of them vary.
pub fn variance(unit: &Preprocessed, passes: PassSet) -> Variance {
    let _ = (unit, passes);
    Variance::default()
}
