//! The reuse room: results kept for other readings and units. Deleting the header memo, the condition memo or the
//! partial macros changes time only.
//!
//! In: finished readings and conditions, with the macros and files that they depend on. Out: the same readings and
//! outcomes where all of that is the same. Knows nothing of how a file is read.

pub(crate) mod conditions;
pub(crate) mod headers;
pub(crate) mod dependencies;
pub(crate) mod partial;
pub(crate) mod common;
pub(crate) mod collect;
