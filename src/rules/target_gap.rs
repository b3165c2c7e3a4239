//! `target-gap`: GPUs between the lowest and the highest target run nothing.

use crate::finding::Level;
use crate::target::gap;

use super::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: "target-gap",
    card: include_str!("../../rules/target-gap.md"),
    check: Check::List(Level::Note, |list, toolkit| gap(list, toolkit.unwrap_or_default())),
};
