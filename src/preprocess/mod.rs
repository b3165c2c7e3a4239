//! Translation phases 1 to 4 ([lex.phases]) for all passes of a unit in one walk.
//!
//! In: a [`TranslationUnit`]. Out: [`Preprocessed`], the unit's tokens, each with the set of passes
//! it exists in, and what put it there. Knows nothing of declarations.
//!
//! Invariant: for every pass, the tokens whose set has that pass, in order, are the tokens a
//! preprocessor run for that pass alone would give.
//!
//! The rooms, each of which uses only those above it:
//!
//! * [`result`]: the preprocessed unit as plain data, its provenance and its text;
//! * [`expand`]: macros, and the expansion of one invocation for passes that agree;
//! * [`condition`]: the controlling expressions of `#if` for passes that agree;
//! * [`keep`]: readings and conditions kept for reuse, and the state that units of a run share;
//! * [`read`]: the walk over files and directives that uses all of them.

mod result;
mod expand;
mod condition;
mod keep;
mod read;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::PassSet;

use read::run::{Mode, run};

pub use keep::common::Common;
pub use read::lookups::Lookups;
pub use result::attached::Attached;
pub use result::flat::Piece;
pub use result::preamble::Preamble;
pub use result::print::{LineMarkers, print};
pub use result::problem::ProblemKind;
pub use result::provenance::DerivationStep;
pub use result::records::{Conditional, Definition, Group, MacroRead, Missing, Problem, Undefinition};
pub use result::search::Search;
pub use result::tokens::{
    ConditionalId, DefinitionId, Event, EventKind, Expansion, ExpansionId, GroupId, OtherOrigin, PpToken,
};
pub use result::unit::{FlatTokens, Preprocessed};
pub use result::written::Written;

/// Preprocesses a unit for all its passes. CUDA's keywords, `__global__` and its like, are not expanded. `common`
/// is shared by the units of one run.
pub fn preprocess(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Preprocessed {
    run(unit, sources, common, unit.passes.all(), Mode::Full)
}

/// The files that a unit reads, its conditionals and its macro definitions. Text is left out, and so are its tokens,
/// expansions and problems, as far as that can't matter to a directive: [`preprocess`] has them when they are wanted.
pub fn survey(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Preprocessed {
    run(unit, sources, common, unit.passes.all(), Mode::Survey)
}

/// Preprocesses a unit for some of its passes, as if it had no others.
pub fn preprocess_for(
    unit: &TranslationUnit,
    sources: &Sources,
    common: &Arc<Common>,
    passes: PassSet,
) -> Preprocessed {
    run(unit, sources, common, passes.and(unit.passes.all()), Mode::Full)
}

/// Preprocesses a unit for all its passes as nvcc's preprocessor does, which knows nothing of CUDA:
/// where a header defines `__global__` as a macro, it is expanded.
pub fn preprocess_like_nvcc(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Preprocessed {
    run(unit, sources, common, unit.passes.all(), Mode::ExpandKeywords)
}
