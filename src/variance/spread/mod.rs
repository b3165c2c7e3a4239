//! Only here does one declaration decide about another: variance spreads from tokens over declarations and names until
//! nothing changes, and whatever depends on a single declaration's tokens is found before.

mod hidden;
mod sizes;
mod token_marks;
mod presence;
mod declaration_facts;
mod worklist;
mod preamble;
mod fixpoint;

pub use preamble::Preamble;
pub use sizes::CLOSURE_TRAITS;

pub(super) use fixpoint::spread;
