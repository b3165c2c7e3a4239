//! What one root instantiates in one pass.

pub(in crate::facts) mod relevance;
pub(in crate::facts) mod history;
pub(in crate::facts) mod walk;
mod bodies;
mod calls;
mod functions;
mod objects;
mod addresses;
mod operators;
