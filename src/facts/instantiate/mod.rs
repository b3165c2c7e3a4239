//! What one root instantiates in one pass.

pub(in crate::facts) mod walk;
mod leading;
mod calls;
mod functions;
mod objects;
mod addresses;
mod operators;
