//! A finding: one way in which the passes disagree, with the evidence for it.
//!
//! In: the conclusion of a rule. Out: plain data that every report format and the language server
//! render. Knows nothing of trees, tokens or terminals.

mod defect;
mod fix;
mod model;
mod fingerprint;
mod line_hash;
mod path;

pub use defect::Defect;
pub use fingerprint::{Numbered, fingerprints};
pub use fix::{Applicability, Edit, Fix, KINDS, Kind, applied};
pub use line_hash::line_hashes;
pub use model::*;
pub use path::slashed;
