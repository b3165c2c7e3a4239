//! Incremental analysis: results for one text of a unit carry over to the next here and nowhere else, and after every
//! edit a session reports what a fresh run reports.
//!
//! In: the units, and texts that replace others. Out: the [`Analysis`](crate::analysis::Analysis) of all of them. After
//! a change only the units that read the changed file are analysed again, a few at a time, so that no work on a
//! superseded text goes on for long. The owner can hand in newer texts between the steps, and also while the work of one
//! goes on: that reads a fork of the sources, in which the replaced texts are pinned.

mod later;
mod shift;
mod entities;
mod places;
mod caches;
mod quiet;
mod under_way;
mod analysed;
mod slot;
mod view;
mod units;
mod schedule;
mod questions;
#[cfg(test)]
mod tests;

pub use units::Session;
pub use view::{MacroMeaning, UnitView};
