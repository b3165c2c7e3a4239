//! `unsupported-target`: the toolkit in use does not compile for a target.

use crate::finding::Level;
use crate::target::unsupported;

use super::rule::{Check, Rule};

/// Only where the toolkit is known: nobody chose the default.
pub(super) const RULE: Rule = Rule {
    id: "unsupported-target",
    card: include_str!("../../rules/unsupported-target.md"),
    check: Check::List(Level::Error, |list, toolkit| unsupported(list, toolkit?)),
};
