//! The passes side by side: only here do they meet.

pub(in crate::facts) mod cause;
pub(in crate::facts) mod dump;
pub(in crate::facts) mod conditions;
pub(in crate::facts) mod numbers;
pub(in crate::facts) mod instructions;
pub(in crate::facts) mod layouts;
pub(in crate::facts) mod kernels;
pub(in crate::facts) mod definitions;
pub(in crate::facts) mod instantiations;
pub(in crate::facts) mod table;
