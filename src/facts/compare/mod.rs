//! Comparison of the passes: only here do the views of different passes meet.
//!
//! [`cause`] finds the conditional behind a difference for all others. Then the facts, in the order of how much they
//! need: tokens and conditionals only; layouts, which kernels and instantiations report classes to; declarations and
//! definitions; mentions that no walk settled, with the functions that compiled code may use, the names that surely lead
//! to kernels, and the libraries that launch kernels of their own; instantiations, which need walks. Last, the list of all
//! kernels, and all facts as text.

pub(in crate::facts) mod cause;
pub(in crate::facts) mod dump;
pub(in crate::facts) mod conditions;
pub(in crate::facts) mod own_macros;
pub(in crate::facts) mod constant;
pub(in crate::facts) mod locals;
pub(in crate::facts) mod emitted;
pub(in crate::facts) mod headers;
pub(in crate::facts) mod numbers;
pub(in crate::facts) mod instructions;
pub(in crate::facts) mod host_bodies;
pub(in crate::facts) mod failures;
pub(in crate::facts) mod host_builtins;
pub(in crate::facts) mod guards;
pub(in crate::facts) mod closures;
pub(in crate::facts) mod host_code;
pub(in crate::facts) mod host_zero;
pub(in crate::facts) mod host_calls;
pub(in crate::facts) mod host_values;
pub(in crate::facts) mod custom;
pub(in crate::facts) mod layouts;
pub(in crate::facts) mod kernels;
pub(in crate::facts) mod definitions;
pub(in crate::facts) mod usage;
pub(in crate::facts) mod leading_definitions;
pub(in crate::facts) mod libraries;
pub(in crate::facts) mod mentions;
pub(in crate::facts) mod undeclared;
pub(in crate::facts) mod kernel_libraries;
pub(in crate::facts) mod instantiations;
pub(in crate::facts) mod kernel_list;
pub(in crate::facts) mod table;
