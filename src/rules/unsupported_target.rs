//! `unsupported-target`: the toolkit in use does not compile for a target.

use crate::finding::{Finding, Level};
use crate::target::unsupported;

use super::Summary;
use super::lists::of_each;

/// The rule.
pub const ID: &str = "unsupported-target";

/// Only where the toolkit is known: the default is nobody's choice.
pub(super) fn check(summaries: &[&Summary]) -> Vec<Finding> {
    of_each(ID, Level::Error, summaries, |stated| unsupported(&stated.list, stated.toolkit?))
}
