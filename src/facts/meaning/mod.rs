//! The meaning of names, types and expressions in one pass; the mutual recursion of C++'s name lookup, types
//! and constants stays inside this room.
//!
//! Read [`types`] and [`env`] first: types, values and the scopes that names are looked up in; [`identity`] tells types
//! apart. [`view`] is the pass itself, with the limits that every query goes through and the caches, which passes share
//! as far as the [`trace`] of an answer allows; units share [`answers`], as far as their [`dependencies`] do
//! ([`kept_answers`]). Then [`lookup`] finds declarations by name, those of namespaces by
//! [`namespaces`], [`written_types`] resolves types as written, [`typing`] gives expressions their types and [`eval`]
//! their values. [`expressions`] and the files after it up to [`constexpr_calls`] run what a constant calls, on the
//! objects of a [`machine`]. The rest is one clause of the standard each, and calls back into these: a type may hold a
//! constant, a constant may call a function, and a call needs lookup, deduction and overload resolution.

pub(in crate::facts) mod viability;
mod portable;
pub(in crate::facts) mod block;
pub(in crate::facts) mod types;
pub(in crate::facts) mod identity;
pub(in crate::facts) mod env;
pub(in crate::facts) mod arithmetic;
mod built_in_functions;
pub(in crate::facts) mod candidates;
pub(in crate::facts) mod answers;
mod dependencies;
pub(in crate::facts) mod trace;
pub(in crate::facts) mod view;
mod machine;
pub(in crate::facts) mod aggregate;
mod libraries;
mod namespaces;
pub(in crate::facts) mod lookup;
mod kept_answers;
pub(in crate::facts) mod written_types;
pub(in crate::facts) mod typing;
pub(in crate::facts) mod categories;
pub(in crate::facts) mod eval;
mod expressions;
mod operations;
mod overloaded;
mod statements;
mod initialize;
mod converting;
mod objects;
mod constexpr_calls;
mod binding;
pub(in crate::facts) mod bind;
pub(in crate::facts) mod deduce;
pub(in crate::facts) mod unify;
mod references;
pub(in crate::facts) mod overload;
pub(in crate::facts) mod conversions;
pub(in crate::facts) mod specialization;
pub(in crate::facts) mod definitions;
pub(in crate::facts) mod constraints;
mod constructible;
pub(in crate::facts) mod guides;
pub(in crate::facts) mod layout;
pub(in crate::facts) mod closure;
mod copying;
mod assignable;
pub(in crate::facts) mod traits;
pub(in crate::facts) mod operators;
mod built_in;
mod throwing;
