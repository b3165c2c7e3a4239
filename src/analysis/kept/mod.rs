//! Summaries of units: what an analysis found in one unit, kept in a file until all units are judged.
//!
//! In: the outcome of a unit, and the texts that it read. Out: a small file, and from it the same outcome in another
//! process. A summary has findings, what rules across units need, problems and blind spots, and for each file of the
//! project that was read its path, its digest and whether comments in it may suppress findings. It has no source texts:
//! who reports on findings reads the files that these point at, and refuses one that is no longer what was analysed.

mod error;
mod container;
mod body;
mod reads;
mod unit;
mod cache;

pub use cache::Cache;
pub use error::{SummaryError, help};
pub use unit::{Context, Judgeable, Regions, UnitHead, UnitSummary};
