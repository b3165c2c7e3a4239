//! `target-gap`: GPUs between the lowest and the highest target run nothing.

use crate::finding::{Finding, Level};
use crate::target::gap;

use super::Summary;
use super::lists::of_each;

pub(super) const ID: &str = "target-gap";

pub(super) fn check(summaries: &[&Summary]) -> Vec<Finding> {
    of_each(ID, Level::Note, summaries, |stated| gap(&stated.list, stated.toolkit.unwrap_or_default()))
}
