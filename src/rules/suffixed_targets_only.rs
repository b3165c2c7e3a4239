//! `suffixed-targets-only`: only code that is bound to a chip or a family is embedded.

use crate::finding::{Finding, Level};
use crate::target::only_suffixed;

use super::Summary;
use super::lists::of_each;

pub(super) const ID: &str = "suffixed-targets-only";

pub(super) fn check(summaries: &[&Summary]) -> Vec<Finding> {
    of_each(ID, Level::Warning, summaries, |stated| only_suffixed(&stated.list))
}
