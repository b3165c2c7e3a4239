//! `mismatched-arch-bound`: a conda recipe asks for other GPUs than the build's targets run on.

use crate::finding::{Finding, Level};
use crate::target::notation::unread_bound;
use crate::target::{Fault, TargetList, mismatch};

use super::evidence::of_fault;
use super::rule::{Check, Rule};
use super::unit::{RecipeBound, Summary};

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/mismatched-arch-bound.md"), check: Check::Program(check) };

/// The rule's id, for the command line.
pub const ID: &str = "mismatched-arch-bound";

/// The package has the code for the targets of all units.
fn check(summaries: &[&Summary]) -> Vec<Finding> {
    let stated: Vec<_> =
        summaries.iter().filter_map(|summary| Some((summary, summary.stated.as_ref()?))).collect();
    let Some((first, of_first)) = stated.first() else { return Vec::new() };
    let mut list = TargetList::default();
    stated.iter().for_each(|(_, stated)| list.extend(&stated.list));
    let toolkit = of_first.toolkit.unwrap_or_default();
    let one = |bound: &RecipeBound| -> Vec<Finding> {
        let faults = match &bound.bound {
            Ok(bound) => mismatch(&list, bound, toolkit),
            Err(text) => vec![unread(text)],
        };
        let text = "the package is installed where this holds";
        faults
            .into_iter()
            .map(|fault| of_fault(ID, Level::Warning, &first.passes, bound.at, text, fault))
            .collect()
    };
    first.recipes.iter().flat_map(one).collect()
}

/// A constraint that can't be read.
pub fn unread(text: &str) -> Fault {
    let error = unread_bound(text);
    Fault { about: text.to_string(), message: error.message, help: error.help }
}
