//! `numeric-arch-comparison`: the number of `__CUDA_ARCH__` decides, and some GPU compiled for is not NVIDIA's.

use crate::facts::NumberFact;
use crate::finding::{Finding, Label, Level};
use crate::source::Span;
use crate::target::{Fault, PassSet};

use super::evidence::of_fault;
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/numeric-arch-comparison.md"), check: Check::Unit(check) };

const ID: &str = "numeric-arch-comparison";

/// How many further places one finding shows.
const SHOWN: usize = 8;

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let conditions = unit.facts.conditions.iter().filter(|condition| condition.numeric);
    let conditions = conditions.filter_map(|condition| {
        let them = names(unit, condition.asked)?;
        let message = format!("`{}` asks for a number that says nothing about {them}", condition.text);
        Some(one(unit, condition.at, condition.text.clone(), message))
    });
    let numbers = unit.facts.numbers.iter();
    conditions.chain(numbers.filter_map(|fact| in_code(unit, fact))).collect()
}

fn in_code(unit: &Unit<'_>, fact: &NumberFact) -> Option<Finding> {
    let them = names(unit, fact.passes)?;
    let text = &fact.text;
    let message = match (fact.comparison, fact.compared.len()) {
        (Some(_), _) => format!("`{text}` asks for a number that says nothing about {them}"),
        (None, 0) => format!("`{text}` decides by a number that says nothing about {them}"),
        (None, _) => format!("`{text}` is compared, and is `__CUDA_ARCH__`, which says nothing about {them}"),
    };
    let places = fact.compared.iter().take(SHOWN);
    let related = places.map(|at| Label { at: *at, text: format!("`{text}` decides here") }).collect();
    Some(Finding { related, ..one(unit, fact.at, text.clone(), message) })
}

/// The GPUs among some passes that the number says nothing about.
fn names(unit: &Unit<'_>, passes: PassSet) -> Option<String> {
    let foreign: Vec<_> = unit.foreign.iter().filter(|(index, _)| passes.has(*index)).collect();
    let (_, first) = foreign.first()?;
    Some(match foreign.len() {
        1 => first.to_string(),
        many => format!("{first} and {} more", many - 1),
    })
}

fn one(unit: &Unit<'_>, at: Span, about: String, message: String) -> Finding {
    let help = "test for the feature itself, or for the maker of the GPU first".into();
    let text = "a compute capability is a number of NVIDIA's";
    of_fault(ID, Level::Warning, &unit.passes, at, text, Fault { about, message, help })
}
