//! `missing-ptx`: no PTX is embedded for the highest target.

use crate::finding::Level;
use crate::target::missing_ptx;

use super::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: "missing-ptx",
    card: include_str!("../../rules/missing-ptx.md"),
    check: Check::List(Level::Note, |list, toolkit| missing_ptx(list, toolkit.unwrap_or_default())),
};
