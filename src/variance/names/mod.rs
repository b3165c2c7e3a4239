//! Name lookup by tokens, approximated upwards: an identifier counts as a mention of a namespace-scope name unless it
//! must mean a local variable, a member, or a name of another namespace.

mod mention;
mod locals;
mod namespaces;
mod lookup;
mod varying;

pub use locals::locals;
pub use lookup::Home;
pub use varying::VaryingNames;

pub(super) use lookup::may_mean;
pub(super) use mention::{Mention, declares_another, each_mention, mention};
pub(super) use namespaces::{LookupScope, Namespaces, opens_a_scope};
