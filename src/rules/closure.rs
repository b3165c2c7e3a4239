//! `arch-in-closure`: the extended lambdas of a function, or what they capture, depend on the pass.

use std::sync::Arc;

use crate::facts::{ClosureDifference, ClosureFact};
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::target::PassSet;

use super::evidence::{deciding, is_told_by_types, is_told_otherwise, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/arch-in-closure.md"), check: Check::Own(check) };

const ID: &str = "arch-in-closure";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let is_told = |fact: &&ClosureFact| {
        let at = fact.cause.as_ref().map(|cause| cause.at);
        at.is_some_and(|at| is_told_otherwise(unit, at) || is_told_by_types(unit, at))
    };
    unit.facts.closures.iter().filter(|fact| !is_told(fact)).map(|fact| finding(unit, fact)).collect()
}

fn finding(unit: &Unit<'_>, fact: &ClosureFact) -> Finding {
    let having: Vec<String> = fact
        .cases
        .iter()
        .map(|(passes, text)| format!("{text} on {}", unit.passes.describe(*passes)))
        .collect();
    let having = having.join(" and ");
    let function = &fact.function;
    let mut related = vec![Label { at: fact.declared, text: "in this function".into() }];
    let (message, label, consequence, note) = match fact.what {
        ClosureDifference::Presence { later, .. } => {
            related.extend(later.map(|at| Label { at, text: "has another number in other passes".into() }));
            let consequence = match later {
                Some(_) => {
                    "The lambdas of a function are numbered in each pass: the kernels that take a later one have another \
                     name in device code than the host launches."
                }
                None => "A kernel that takes it is in the device code of some passes only.",
            };
            let note = "The CUDA C++ Programming Guide, restriction 13 on extended lambdas: whether one is defined in a \
                        function must not depend on `__CUDA_ARCH__`. Define it in every pass, and put the condition into \
                        its body.";
            (format!("`{function}` has {having}"), "not every pass has this lambda", consequence, note)
        }
        ClosureDifference::Captures => (
            format!("an extended lambda in `{function}` {having}"),
            "captures something else in other passes",
            "Host and device code lay out the closure each for themselves: the kernel reads other bytes than the host \
             wrote, or has another name.",
            "The CUDA C++ Programming Guide, restriction 16 on extended lambdas: what is captured must not depend on \
             `__CUDA_ARCH__`. Name the captures, or mention the variables outside of the condition.",
        ),
    };
    Finding {
        rule: ID,
        level: level(fact),
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message,
        entity: function.clone(),
        passes: Arc::clone(&unit.passes),
        primary: Label { at: fact.at, text: label.into() },
        related,
        instances: Vec::new(),
        views: views(fact.cases.iter().cloned()),
        deciding: deciding(fact.cause.as_ref()),
        consequences: vec![consequence.to_string()],
        notes: vec![note.to_string()],
    }
}

/// A lambda that the host lacks, and that renumbers no other, is launched by nobody.
fn level(fact: &ClosureFact) -> Level {
    match fact.what {
        ClosureDifference::Presence { having, later: None } if !having.meets(PassSet::HOST) => Level::Note,
        _ => Level::Warning,
    }
}
