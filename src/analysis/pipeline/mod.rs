//! The pipeline knows one text of one unit: the order of the stages is written here and nowhere else.

mod build;
mod conditionals;
mod suffixes;
mod problems;
mod resume;
mod stages;

pub(super) use build::{recipes, stated};
pub(super) use conditionals::regions;
pub(super) use resume::{PreamblePool, ResumedUnit};
pub(super) use stages::{Caches, Stages, analyse_unit, analyse_unit_keeping, isolated, run};
