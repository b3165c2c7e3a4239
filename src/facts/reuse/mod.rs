//! What walks gave, kept for the next analysis of an edited unit: deleting it changes time only.

pub(in crate::facts) mod equivalence;
mod main_roots;
pub(in crate::facts) mod header_walks;
pub(in crate::facts) mod reusable;
pub(in crate::facts) mod roots;
