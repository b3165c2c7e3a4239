//! `pass-only-failure`: an `#error`, a `static_assert` or a call that stops some passes and not the others.

use crate::facts::{FailureFact, FailureKind};
use crate::finding::{Certainty, Defect, Finding, Label, Level};

use super::evidence::{deciding, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/pass-only-failure.md"), check: Check::Own(check) };

const ID: &str = "pass-only-failure";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    unit.facts.failures.iter().map(|fact| finding(unit, fact)).collect()
}

fn finding(unit: &Unit<'_>, fact: &FailureFact) -> Finding {
    let (stopped, others) = (unit.passes.describe(fact.stopped), unit.passes.describe(fact.others));
    let sees = [(fact.stopped, "stops here".to_string()), (fact.others, "compiles on".to_string())];
    Finding {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
        defect: match fact.kind {
            FailureKind::Written => Defect::Other,
            FailureKind::Builtin => Defect::Uncompilable,
        },
        message: format!("`{}` stops the compilation for {stopped} and not for {others}", fact.text),
        entity: fact.text.clone(),
        passes: unit.passes.clone(),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "the compilation stops here".into() },
        related: Vec::new(),
        views: views(sees.into_iter()),
        deciding: deciding(fact.cause.as_ref()),
        consequences: vec!["nvcc makes no object file when one of its passes stops.".into()],
        notes: vec![note(fact.kind).into()],
    }
}

fn note(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Written => {
            "If these passes are not meant to have the code, leave the target out, or let them skip what needs it."
        }
        FailureKind::Builtin => {
            "nvcc defines `__CUDACC__` and `__NVCC__` in its host pass too. Ask for a device pass: `#ifdef __CUDA_ARCH__`."
        }
    }
}
