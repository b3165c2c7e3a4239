//! Which declarations, and then which names, differ between passes.
//!
//! In: [`Preprocessed`] tokens. Out: [`Variance`]: the unit cut into top-level declarations by
//! bracket structure alone, which of them vary, and which names vary with them (a fixpoint). This
//! is the filter in front of all parsing, so it errs towards "varies" and never the other way.
//! Knows nothing of trees.

mod declarations;
mod words;

pub use declarations::{DeclKind, Scope, ScopeId, TopDeclaration, Variance, Varies};
pub use words::{Word, looks_like_macro, word};
