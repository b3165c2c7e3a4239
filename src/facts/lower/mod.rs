//! Trees lowered to declarations, types and expressions, and kept by their tokens: it knows no pass.

pub(in crate::facts) mod ast;
mod literals;
pub(in crate::facts) mod nodes;
pub(in crate::facts) mod declarations;
mod names;
mod types;
mod templates;
mod constraints;
mod declarators;
mod expressions;
mod argument;
mod operands;
mod closure;
mod classes;
mod bodies;
mod steps;
mod relocate;
pub(in crate::facts) mod memo;
