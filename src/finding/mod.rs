//! A finding: one way in which the passes disagree, with the evidence for it.
//!
//! In: what a rule concluded. Out: plain data that every report format and the language server
//! render. Knows nothing of trees, tokens or terminals.

mod path;
mod line_hash;
mod defect;
mod model;
mod fingerprint;

pub use defect::Defect;
pub use fingerprint::fingerprints;
pub use line_hash::line_hashes;
pub use model::{Certainty, Deciding, Derived, Finding, Label, Level, Region, Reported, Silenced, View};
pub use path::slashed;
