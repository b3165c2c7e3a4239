//! The instantiations of kernel templates and device variable templates that one root causes in one pass.
//!
//! A *root* is a declaration that causes instantiations without being used: a non-template function, a variable, an
//! explicit instantiation. A *walk* follows the mentions in its body, and in every body that is instantiated from there
//! ([temp.inst]).
//!
//! First what a walk consults: [`relevance`] keeps it out of bodies that can't matter, [`apart`] out of instantiations that
//! can't for their template arguments, [`effects`] has what other passes did in
//! a root or a body, [`history`] ends its recursion.
//! Then the [`walk`] itself, and what it follows, from the outside in: bodies, calls, functions, objects, and names of
//! function templates whose address is taken or which are called as operators.

pub(in crate::facts) mod relevance;
mod apart;
pub(in crate::facts) mod effects;
pub(in crate::facts) mod history;
pub(in crate::facts) mod walk;
mod bodies;
mod calls;
mod functions;
mod objects;
mod initialization;
mod parts;
mod destruction;
mod conversions;
mod addresses;
mod operators;
