//! `unreached-arch-branch`: code behind a condition on the architecture that no target in force lets in.

use std::collections::BTreeMap;

use crate::finding::{Finding, Label, Level};
use crate::source::Span;
use crate::target::Fault;

use super::evidence::of_fault;
use super::rule::{Check, Rule};
use super::unit::{Branch, Summary};

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/unreached-arch-branch.md"), check: Check::Program(check) };

const ID: &str = "unreached-arch-branch";

/// A branch that some unit enters is alive.
fn check(summaries: &[&Summary]) -> Vec<Finding> {
    let mut branches: BTreeMap<Span, (&Summary, &Branch, bool)> = BTreeMap::new();
    for summary in summaries {
        for branch in &summary.branches {
            let known = branches.entry(branch.at).or_insert((summary, branch, false));
            known.2 |= branch.entered;
        }
    }
    let dead = branches.into_values().filter(|(_, _, entered)| !entered);
    dead.map(|(summary, branch, _)| of_branch(summary, branch)).collect()
}

fn of_branch(summary: &Summary, branch: &Branch) -> Finding {
    let (passes, text) = (&summary.passes, &branch.text);
    let targets = passes.describe(passes.devices());
    let shown = match &branch.opening {
        Some((_, opening)) => format!("`{text}` of `{opening}`"),
        None => format!("`{text}`"),
    };
    let fault = Fault {
        about: text.clone(),
        message: format!("no pass enters {shown}: neither the host nor {targets}"),
        help: "leave the branch out, or add a target that enters it".into(),
    };
    let found = of_fault(ID, Level::Note, passes, branch.at, "nothing is compiled of this", fault);
    let opening =
        branch.opening.iter().map(|(at, _)| Label { at: *at, text: "the conditional begins here".into() });
    Finding { related: opening.collect(), ..found }
}
