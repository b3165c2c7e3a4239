//! The pipeline knows one unit: here alone it is said which stage follows which, and nothing that another text of the
//! unit left is known.

mod suffixes;
mod build;
mod conditionals;
mod problems;
mod stages;

pub(super) use stages::{Caches, Stages, analyse_unit, isolated, run};
