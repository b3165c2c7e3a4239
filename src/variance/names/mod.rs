//! Only names are compared here: an identifier that can mean a name of namespace scope is told from a local variable, a
//! member, and a name of another namespace, and in doubt it can.

mod mention;
mod locals;
mod namespaces;
mod lookup;
mod varying;

pub use locals::locals;
pub use varying::VaryingNames;

pub(super) use lookup::{Home, may_mean};
pub(super) use mention::{Mention, declares_another, each_mention, mention};
pub(super) use namespaces::{LookupScope, Namespaces};
