//! Declarations by name, and which names lead to which: it reads tokens only.

pub(in crate::facts) mod tokens;
pub(in crate::facts) mod names;
pub(in crate::facts) mod token_facts;
pub(in crate::facts) mod name_graph;
pub(in crate::facts) mod varying_kernels;
pub(in crate::facts) mod kept;
pub(in crate::facts) mod unit;
