//! Translation phases 1 to 4 ([lex.phases]) for all passes of a unit in one walk.
//!
//! In: a [`TranslationUnit`]. Out: [`Preprocessed`], the unit's tokens, each with the set of passes
//! it exists in, and what put it there. Knows nothing of declarations.
//!
//! Invariant: for every pass, the tokens whose set has that pass, in order, are the tokens a
//! preprocessor run for that pass alone would give.

mod directives;
mod evaluate;
mod expand;
mod include;
mod macros;
mod provenance;
#[cfg(test)]
mod tests;
mod tokens;
mod walk;

use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::PassSet;

pub use provenance::Step;
pub use tokens::{
    Apart, Conditional, ConditionalId, Definition, DefinitionId, Expansion, ExpansionId, Group, GroupId,
    Missing, PpToken, Preprocessed, Problem, Read, Undefinition,
};

/// Preprocesses a unit for all its passes.
pub fn preprocess(unit: &TranslationUnit, sources: &Sources) -> Preprocessed {
    preprocess_for(unit, sources, unit.passes.all())
}

/// Preprocesses a unit for some of its passes, as if it had no others.
pub fn preprocess_for(unit: &TranslationUnit, sources: &Sources, passes: PassSet) -> Preprocessed {
    walk::Walker::new(unit, sources, passes.and(unit.passes.all())).run()
}
