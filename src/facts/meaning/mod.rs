//! What names, types and expressions mean: one pass at a time, and the recursion of C++ stays inside.

pub(in crate::facts) mod types;
pub(in crate::facts) mod env;
pub(in crate::facts) mod arithmetic;
pub(in crate::facts) mod view;
pub(in crate::facts) mod aggregate;
pub(in crate::facts) mod lookup;
pub(in crate::facts) mod written_types;
pub(in crate::facts) mod typing;
pub(in crate::facts) mod eval;
pub(in crate::facts) mod constexpr_calls;
pub(in crate::facts) mod bind;
pub(in crate::facts) mod deduce;
pub(in crate::facts) mod overload;
pub(in crate::facts) mod conversions;
pub(in crate::facts) mod specialization;
pub(in crate::facts) mod definitions;
pub(in crate::facts) mod constraints;
pub(in crate::facts) mod guides;
pub(in crate::facts) mod layout;
pub(in crate::facts) mod closure;
pub(in crate::facts) mod traits;
pub(in crate::facts) mod operators;
