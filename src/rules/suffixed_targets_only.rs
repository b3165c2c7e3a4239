//! `suffixed-targets-only`: only code that is bound to a chip or a family is embedded.

use crate::finding::Level;
use crate::target::only_suffixed;

use super::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: "suffixed-targets-only",
    card: include_str!("../../rules/suffixed-targets-only.md"),
    check: Check::List(Level::Warning, |list, _| only_suffixed(list)),
};
