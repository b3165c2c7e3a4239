//! `unsupported-instruction`: a pass reaches inline PTX, or a function that stands for it, that its target lacks.

use std::sync::Arc;

use crate::facts::InstructionFact;
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::target::{Arch, PassSet, Suffix};

use super::evidence::{deciding, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/unsupported-instruction.md"), check: Check::Unit(check) };

const ID: &str = "unsupported-instruction";

/// How many further places one finding shows.
const SHOWN: usize = 8;

/// One finding for all that a conditional lets through wrongly in one file.
fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let mut causes: Vec<Vec<&InstructionFact>> = Vec::new();
    for fact in &unit.facts.instructions {
        match causes.iter_mut().find(|facts| same_cause(facts[0], fact)) {
            Some(facts) => facts.push(fact),
            None => causes.push(vec![fact]),
        }
    }
    causes.iter().map(|facts| finding(unit, facts)).collect()
}

/// The same passes reach and lack both, in one file, with the same root of the derivation.
fn same_cause(left: &InstructionFact, right: &InstructionFact) -> bool {
    let root = |fact: &InstructionFact| {
        let cause = fact.cause.as_ref()?;
        cause.derivation.iter().filter_map(|step| step.at).next_back().or(Some(cause.at))
    };
    let key = |fact: &InstructionFact| (fact.at.file, fact.lacking, fact.reached, fact.sure, root(fact));
    key(left) == key(right) && left.narrowest == right.narrowest && root(left).is_some()
}

fn finding(unit: &Unit<'_>, facts: &[&InstructionFact]) -> Finding {
    let fact = facts[0];
    let passes = &unit.passes;
    let having = fact.reached.minus(fact.lacking);
    let beyond = unit.facts.compared.minus(PassSet::HOST).minus(fact.reached);
    let them = if facts.len() == 1 { "it" } else { "them" };
    let lines = [
        (fact.lacking, format!("reaches {them} and lacks {them}")),
        (having, format!("reaches {them} and has {them}")),
        (beyond, format!("does not reach {them}")),
    ];
    let who = if fact.call { "nvcc" } else { "ptxas" };
    let consequence = match fact.sure {
        true => format!("{who} refuses the code for {}.", passes.describe(fact.lacking)),
        false => format!("Where it becomes code, {who} refuses it for {}.", passes.describe(fact.lacking)),
    };
    let subject = match facts.len() {
        1 => format!("`{}` is", fact.written),
        2 => format!("`{}` and another instruction are", fact.written),
        many => format!("`{}` and {} more instructions are", fact.written, many - 1),
    };
    let others = facts[1..].iter().take(SHOWN);
    Finding {
        rule: ID,
        level: if fact.sure { Level::Error } else { Level::Warning },
        certainty: Certainty::Definite,
        defect: match fact.call {
            true => Defect::IntrinsicMissing { lacking: fact.lacking },
            false => Defect::InstructionMissing { narrowest: fact.narrowest.clone(), lacking: fact.lacking },
        },
        message: format!(
            "{subject} reached on {}, which {} {them}: {} {them}",
            passes.describe(fact.lacking),
            if fact.lacking.len() == 1 { "lacks" } else { "lack" },
            who_has(&fact.narrowest)
        ),
        entity: match fact.function {
            Some(function) => format!("{} in {function}", fact.written),
            None => fact.written.clone(),
        },
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "not every target that reaches this has it".into() },
        related: others
            .map(|other| Label { at: other.at, text: format!("`{}` too", other.written) })
            .collect(),
        views: views(lines.into_iter().filter(|(set, _)| !set.is_empty())),
        deciding: deciding(fact.cause.as_ref()),
        consequences: vec![consequence],
        notes: guard(&fact.narrowest),
    }
}

/// "sm_80 and later have", "only sm_90a has".
pub(super) fn who_has(narrowest: &[Arch]) -> String {
    let numbers = |suffix: Suffix| -> Vec<u16> {
        narrowest.iter().filter(|arch| arch.suffix == suffix).map(|arch| arch.number).collect()
    };
    match narrowest {
        [] => "no target has".to_string(),
        [one] if one.suffix == Suffix::None => format!("{} and later have", one.sm_name()),
        [one] => format!("only {} has", one.sm_name()),
        many if many.len() > 4 && numbers(Suffix::A) == numbers(Suffix::F) => {
            let names: Vec<String> = numbers(Suffix::A).iter().map(|number| format!("sm_{number}")).collect();
            format!("only the `a` and `f` targets of {} have", joined(&names))
        }
        many => format!("only {} have", joined(&many.iter().map(|arch| arch.sm_name()).collect::<Vec<_>>())),
    }
}

/// "a, b and c".
pub(super) fn joined(names: &[String]) -> String {
    match names {
        [few @ .., last] if !few.is_empty() => format!("{} and {last}", few.join(", ")),
        _ => names.concat(),
    }
}

/// The condition that lets exactly the right targets through.
pub(super) fn guard(narrowest: &[Arch]) -> Vec<String> {
    let specific = |arch: &Arch| format!("`__CUDA_ARCH_FEAT_SM{}_ALL`", arch.number);
    let condition = match narrowest {
        [] => return Vec::new(),
        [one] if one.suffix == Suffix::None => format!("`__CUDA_ARCH__ >= {}`", one.cuda_arch()),
        all if all.iter().all(|arch| arch.suffix == Suffix::A) => {
            let names: Vec<String> = all.iter().map(specific).collect();
            format!(
                "{}, which {} targets alone define",
                names.join(" or "),
                if all.len() == 1 { "its" } else { "their" }
            )
        }
        _ => "`__CUDA_ARCH_FAMILY_SPECIFIC__`, which the `a` and `f` targets define as their number"
            .to_string(),
    };
    vec![format!(
        "The condition that fits is on {condition}; a comparison of `__CUDA_ARCH__` does not see suffixes."
    )]
}
