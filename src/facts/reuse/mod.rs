//! Incremental analysis: the results of walks, kept with their dependencies for the next analysis of an edited unit.
//! Deleting this room would change time only.
//!
//! [`equivalence`] stands alone: it tells whether an edit of a body can change any instantiation at all. Then the
//! roots: those behind the preamble, each with its own dependencies; those in the preamble, kept together; all that one
//! analysis leaves to the next; and the driver that walks the roots for which nothing valid is kept.

pub(in crate::facts) mod equivalence;
mod main_roots;
pub(in crate::facts) mod header_walks;
pub(in crate::facts) mod reusable;
pub(in crate::facts) mod roots;
