//! `missing-ptx`: no PTX is embedded for the highest target.

use crate::finding::{Finding, Level};
use crate::target::missing_ptx;

use super::Summary;
use super::lists::of_each;

pub(super) const ID: &str = "missing-ptx";

pub(super) fn check(summaries: &[&Summary]) -> Vec<Finding> {
    of_each(ID, Level::Note, summaries, |stated| {
        missing_ptx(&stated.list, stated.toolkit.unwrap_or_default())
    })
}
