//! An index of declarations by name, and of the names through which kernel templates are reached: built from tokens
//! only, before anything is parsed.
//!
//! In reading order: helpers about tokens; the declarations of each name; the names that a declaration gives to types of its
//! own ([`own_names`]), with how many arguments functions are called ([`arity`]), how tokens mention names ([`mentioned`]), what
//! those of a class tell ([`class_facts`]), those of one declaration ([`one_declaration`]) and of all ([`token_facts`],
//! [`on_demand`]); the bodies that
//! nothing asks for ([`device_bodies`]) and the members in which classes differ between passes ([`varying_members`]); the names
//! that lead to kernels ([`leading_names`]), by the graph from name to name
//! ([`name_graph`]) and the closure over it ([`name_closure`]), and the libraries of system headers that have some
//! ([`header_namespaces`]); the kernel templates whose instantiations may differ ([`varying_kernels`]); the part of all this
//! that is kept for the next analysis; the namespaces around a scope ([`outward`]); the unit that puts it together and lowers
//! declarations on demand; and the functions that a declaration defines ([`function_tokens`]).
//!
//! A *mention* is an identifier in a declaration that may denote another declaration. A *leading name* is one through
//! which a kernel template or a device variable template may be reached, from mention to mention. What a mention may denote is
//! told by tokens, and errs towards more: by the namespaces that lookup reaches from it, what qualifies it, whether a value or a
//! type can stand there, with how many arguments it is called, and what hides it. A class leads by its objects: its other members
//! are named where they are used.
//!
//! The *preamble* of a unit is the headers that it begins with. No edit of the main file changes their tokens, so what
//! follows from these alone is kept between analyses.

pub(in crate::facts) mod tokens;
pub(in crate::facts) mod names;
mod own_names;
mod arity;
mod mentioned;
mod class_facts;
mod device_bodies;
pub(in crate::facts) mod function_tokens;
pub(in crate::facts) mod on_demand;
pub(in crate::facts) mod one_declaration;
pub(in crate::facts) mod token_facts;
mod varying_members;
pub(in crate::facts) mod leading_names;
pub(in crate::facts) mod name_graph;
mod header_namespaces;
mod name_closure;
pub(in crate::facts) mod varying_kernels;
pub(in crate::facts) mod kept;
pub(in crate::facts) mod outward;
pub(in crate::facts) mod unit;
pub(in crate::facts) mod functions;
