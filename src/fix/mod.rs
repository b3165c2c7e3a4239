//! What would mend a finding: edits of the sources, tried before they are offered.
//!
//! In: a finding and the texts it points into. Out: [`Fix`]es, each a few replacements of text. What may help is
//! guessed from the text around the finding ([`candidates`]), one file a kind of cure; a [`Trial`] then analyses
//! the edited texts, and what does not make the finding go, or brings another, is not offered. Knows nothing of
//! terminals or of the protocol.

mod written;
mod edit;
mod context;
mod condition;
mod guard;
mod head;
mod instruction;
mod lift;
mod mention;
mod candidates;
mod quiet;
mod trial;

pub use candidates::candidates;
pub use edit::{Edit, Fix, KINDS, Kind, applied};
pub use quiet::allow;
pub use trial::Trial;

use context::{Context, written};
use edit::replace;
