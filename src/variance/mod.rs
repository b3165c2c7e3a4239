//! The declarations, and then the names, that differ between passes.
//!
//! In: [`Preprocessed`] tokens. Out: [`Variance`]: the unit cut into top-level declarations by
//! bracket structure alone, which of them vary, and which names vary with them (a fixpoint). This
//! is the filter in front of all parsing, so it errs towards "varies" and never the other way.
//! Knows nothing of trees.

mod cut;
mod names;
mod result;
mod meanings;
mod reach;
mod spread;
#[cfg(test)]
mod tests;

pub use cut::member_functions;
pub use cut::{DeclKind, Known, KnownDeclaration, MemberFunction, Scope, ScopeId, TopDeclaration, Varies};
pub use cut::{Ending, ending, is_whole, opens_braces};
pub use cut::{Word, looks_like_macro, word};
pub use meanings::Meanings;
pub use names::{Home, VaryingNames, locals};
pub use reach::NameLookup;
pub use result::{PartialTokens, Variance};
pub use spread::{CLOSURE_TRAITS, PreambleVariance};

use std::sync::Arc;

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::Preprocessed;
use crate::target::PassSet;

use cut::Cut;

/// Cuts a unit into declarations and finds those of them, and the names, that vary among the passes
/// in `all`: those of the unit that did not stop at an `#error`.
pub fn variance(unit: &Preprocessed, all: PassSet) -> Variance {
    let (cut, _) = cut::cut(unit.tokens(), unit.pieces(), all, None, None).expect(FROM_NOTHING);
    unwind_if_cancelled();
    spread_over(unit, cut, all, None)
}

/// The same, going on from a preamble whose tokens are the unit's first; `None` if the cut of the unit does not begin with
/// that of the preamble: what follows closes other braces, or other passes are compared.
pub fn variance_from(unit: &Preprocessed, all: PassSet, preamble: &PreambleVariance) -> Option<Variance> {
    let (cut, _) = cut::cut(unit.tokens(), unit.pieces(), all, Some(&preamble.cut), None)?;
    unwind_if_cancelled();
    Some(spread_over(unit, cut, all, Some(preamble)))
}

/// Why a cut that goes on from no prefix never fails.
const FROM_NOTHING: &str = "a cut from the first token on goes on from nothing";

/// The same, with the preamble of the first `tokens` tokens for the next unit; `None` where these do not end between
/// two declarations.
pub fn variance_keeping(
    unit: &Preprocessed,
    all: PassSet,
    tokens: usize,
) -> (Variance, Option<PreambleVariance>) {
    let (cut, prefix) = cut::cut(unit.tokens(), unit.pieces(), all, None, Some(tokens)).expect(FROM_NOTHING);
    unwind_if_cancelled();
    let preamble = prefix.map(PreambleVariance::new);
    (spread_over(unit, cut, all, preamble.as_ref()), preamble)
}

/// The outcome for a unit that is cut.
fn spread_over(
    unit: &Preprocessed,
    mut cut: Cut,
    all: PassSet,
    preamble: Option<&PreambleVariance>,
) -> Variance {
    let (varying, partial) = spread::spread(unit, &mut cut, all, preamble);
    Variance { declarations: cut.declarations, scopes: cut.scopes, partial, varying: Arc::new(varying) }
}
