//! Fixes: edits of the sources that make a finding disappear, tried before they are offered.
//!
//! In: a finding and the texts it points into. Out: [`Fix`]es, each a few replacements of text. Candidates come from
//! the text around the finding ([`candidates`]), one file for each kind; a [`Trial`] then analyses the edited texts, and a
//! candidate that leaves the finding, causes another, or takes a launch, a call or a kernel's body from a pass that had it
//! ([`kept`]) is not offered. Knows nothing of terminals or of the protocol.

mod edit;
mod written;
mod context;
mod condition;
mod guard;
mod head;
mod instruction;
mod lift;
mod mention;
mod spelling;
mod candidates;
mod code;
mod effect;
mod kept;
mod trial;
mod suppress;

pub use suppress::allow;
pub use trial::Trial;
