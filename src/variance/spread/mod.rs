//! The propagation of variance from tokens to declarations to names: only here does one declaration affect another, and
//! the facts of single declarations are found before.

mod hidden;
mod sizes;
mod presence;
mod declaration_facts;
mod worklist;
mod preamble;
mod fixpoint;

pub use preamble::PreambleVariance;
pub use sizes::CLOSURE_TRAITS;

pub(super) use fixpoint::spread;
