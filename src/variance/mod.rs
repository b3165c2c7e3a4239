//! Which declarations, and then which names, differ between passes.
//!
//! In: [`Preprocessed`] tokens. Out: [`Variance`]: the unit cut into top-level declarations by
//! bracket structure alone, which of them vary, and which names vary with them (a fixpoint). This
//! is the filter in front of all parsing, so it errs towards "varies" and never the other way.
//! Knows nothing of trees.

mod cut;
mod declarations;
mod fixpoint;
mod head;
mod hidden;
mod locals;
mod members;
mod mentions;
mod said;
mod scoping;
mod sizes;
mod unclosed;
mod words;
#[cfg(test)]
mod tests;

pub use cut::Begun;
pub use declarations::{DeclKind, Partial, Scope, ScopeId, TopDeclaration, Variance, Varies};
pub use locals::locals;
pub use members::{MemberFunction, member_functions};
pub use mentions::{Meanings, Varying};
pub use sizes::CLOSURE_TRAITS;
pub use unclosed::{Ending, ending, is_whole, opens_braces};
pub use words::{Word, looks_like_macro, word};

use std::sync::Arc;

use crate::preprocess::Preprocessed;
use crate::stale::go_on;
use crate::target::PassSet;

/// Cuts a unit into declarations and tells which of them, and which names, vary among the passes
/// in `all`: those of the unit that did not stop at an `#error`.
pub fn variance(unit: &Preprocessed, all: PassSet) -> Variance {
    variance_from(unit, all, None, None).0
}

/// The same, going on from a cut that was begun of a unit with the same first tokens. The cut of the first `keep`
/// tokens is given too, if that is between two declarations.
pub fn variance_from(
    unit: &Preprocessed,
    all: PassSet,
    begun: Option<&Begun>,
    keep: Option<usize>,
) -> (Variance, Option<Begun>) {
    let begun = begun.filter(|begun| begun.all == all && begun.stands(unit.tokens()));
    let (mut cut, kept) = cut::cut(unit.tokens(), all, begun, keep);
    go_on();
    let (varying, partial) = fixpoint::spread(unit, &mut cut, all, begun.or(kept.as_ref()));
    let varying = Arc::new(varying);
    (Variance { declarations: cut.declarations, scopes: cut.scopes, partial, varying }, kept)
}
