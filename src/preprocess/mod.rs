//! Translation phases 1 to 4 ([lex.phases]) for all passes of a unit in one walk.
//!
//! In: a [`TranslationUnit`]. Out: [`Preprocessed`], the unit's tokens, each with the set of passes
//! it exists in, and what put it there. Knows nothing of declarations.
//!
//! Invariant: for every pass, the tokens whose set has that pass, in order, are the tokens a
//! preprocessor run for that pass alone would give.

mod ahead;
mod ask;
mod assertion;
mod common;
mod directives;
mod embed;
mod evaluate;
mod expand;
mod include;
mod inclusion;
mod macros;
mod memo;
mod print;
mod provenance;
mod questions;
mod spotted;
mod store;
mod survey;
mod sweep;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod walk;

use std::sync::Arc;

use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::PassSet;

pub use common::Common;
pub use print::{LineMarkers, print};
pub use provenance::Step;
pub use spotted::Spotted;
pub use tokens::{
    Apart, Beginning, Conditional, ConditionalId, Definition, DefinitionId, Event, Expansion, ExpansionId,
    Group, GroupId, Happening, Missing, PpToken, Preprocessed, Problem, Read, Undefinition, Unrolled,
    Written,
};

/// Preprocesses a unit for all its passes. CUDA's words, `__global__` and its like, stay words. `common`
/// is what units of one run share.
pub fn preprocess(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Preprocessed {
    walk::Walker::new(unit, sources, common, unit.passes.all()).run()
}

/// What the directives of a unit tell: the files it reads, conditionals and definitions. Text is left out, and
/// so are its tokens, expansions and problems, as far as that can't matter to a directive: [`preprocess`] has
/// them when they are wanted.
pub fn survey(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Preprocessed {
    walk::Walker::new(unit, sources, common, unit.passes.all()).without_text().run()
}

/// Preprocesses a unit for some of its passes, as if it had no others.
pub fn preprocess_for(
    unit: &TranslationUnit,
    sources: &Sources,
    common: &Arc<Common>,
    passes: PassSet,
) -> Preprocessed {
    walk::Walker::new(unit, sources, common, passes.and(unit.passes.all())).run()
}

/// Preprocesses a unit for all its passes as nvcc's preprocessor does, which knows nothing of CUDA:
/// where a header defines `__global__` as a macro, it is expanded.
pub fn preprocess_words_too(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Preprocessed {
    walk::Walker::new(unit, sources, common, unit.passes.all()).without_words().run()
}
