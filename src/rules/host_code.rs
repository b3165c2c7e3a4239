//! `host-code-behind-device-guard`: code of host functions that only device passes have, which is to say nobody.

use crate::facts::{HostCodeFact, HostCodeKind};
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::target::PassSet;

use super::evidence::{deciding, is_told_of_the_host, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../rules/host-code-behind-device-guard.md"),
    check: Check::Own(check),
};

const ID: &str = "host-code-behind-device-guard";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let told =
        |fact: &&HostCodeFact| fact.cause.as_ref().is_some_and(|cause| is_told_of_the_host(unit, cause.at));
    let facts = unit.facts.host_code.iter().filter(|fact| !told(fact));
    facts.map(|fact| finding(unit, fact)).collect()
}

fn finding(unit: &Unit<'_>, fact: &HostCodeFact) -> Finding {
    let lost = fact.kind;
    let what = match lost {
        HostCodeKind::Instantiation => "host template",
        HostCodeKind::Initialization => "host variable",
        _ => "host function",
    };
    let label = match lost {
        HostCodeKind::Launch | HostCodeKind::Case | HostCodeKind::Statement => {
            "only the host runs this function"
        }
        HostCodeKind::Registration => "only the host registers it",
        _ => "nothing says that devices have it",
    };
    let mut related = vec![Label { at: fact.declared, text: label.into() }];
    related.extend(fact.used.map(|at| Label { at, text: "used here".into() }));
    let sees =
        [(PassSet::HOST, "left out".to_string()), (fact.passes, format!("{lost}, without code for it"))];
    Finding {
        rule: ID,
        level: level(fact),
        certainty: Certainty::Definite,
        defect: Defect::HostCodeLost,
        message: match lost {
            HostCodeKind::Registration => format!("`{}` is left out by the host pass", fact.function),
            _ => format!("{what} `{}` has {lost} that the host pass leaves out", fact.function),
        },
        entity: fact.function.clone(),
        passes: unit.passes.clone(),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "in no object file: no pass makes code of this".into() },
        related,
        views: views(sees.into_iter()),
        deciding: deciding(fact.cause.as_ref()),
        consequences: vec![consequence(fact).into()],
        notes: vec![advice(fact).into()],
    }
}

fn consequence(fact: &HostCodeFact) -> &'static str {
    match fact.is_beside_host {
        true => {
            "`__CUDA_ARCH__` is undefined on the host, so the host compiler takes another group of the conditional, whatever GPU \
             the program runs on; device passes see this one and generate no code for host functions."
        }
        false => {
            "`__CUDA_ARCH__` is undefined on the host and counts as 0 there, so the host compiler never sees this; \
             device passes see it and generate no code for host functions."
        }
    }
}

fn advice(fact: &HostCodeFact) -> &'static str {
    match fact.is_beside_host {
        true => "To choose by the GPU, ask for its compute capability at run time.",
        false => {
            "To keep it on the host, let the host in: `#if !defined(__CUDA_ARCH__) || ...`. To choose by the GPU, ask for \
             its compute capability at run time."
        }
    }
}

/// A function that nothing in the unit uses may be nobody's.
fn level(fact: &HostCodeFact) -> Level {
    match fact.kind {
        HostCodeKind::Function if fact.used.is_none() => Level::Note,
        HostCodeKind::Member => Level::Note,
        _ => Level::Warning,
    }
}
