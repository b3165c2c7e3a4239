//! Syntax trees become declarations, types, expressions and statements; this room knows no pass and looks no
//! name up.
//!
//! Read [`ast`] first: it is the language that the rest of [`facts`](crate::facts) speaks, and
//! [`lookups`] the names in it that are looked up. [`nodes`] holds the state of one lowering, and each file after it adds one part of the grammar to `Lower`, beginning with
//! [`declarations`], where lowering starts. [`memo`] comes last: it keeps what was lowered by the tokens it
//! was lowered from, and [`relocate`] lets it serve the same tokens at other places of a file.

pub(in crate::facts) mod ast;
mod lookups;
mod literals;
mod uses;
pub(in crate::facts) mod nodes;
pub(in crate::facts) mod declarations;
mod names;
mod types;
mod templates;
mod constraints;
mod declarators;
mod expressions;
mod argument;
mod initializers;
mod operands;
pub(in crate::facts) mod closure;
mod classes;
mod bodies;
mod statements;
mod relocate;
pub(in crate::facts) mod custom;
pub(in crate::facts) mod memo;
