//! `numeric-arch-comparison`: the number of `__CUDA_ARCH__` decides, and some GPU compiled for is not NVIDIA's.

use crate::finding::{Finding, Level};
use crate::target::Fault;

use super::Unit;
use super::lists::finding;

pub(super) const ID: &str = "numeric-arch-comparison";

pub(super) fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let Some(first) = unit.foreign.first() else { return Vec::new() };
    let them = match unit.foreign.len() {
        1 => first.to_string(),
        many => format!("{first} and {} more", many - 1),
    };
    let numeric = unit.facts.conditions.iter().filter(|condition| condition.numeric);
    let one = |text: &str, at| {
        let fault = Fault {
            about: text.to_string(),
            message: format!("`{text}` asks for a number that says nothing about {them}"),
            help: "test for the feature itself, or for the maker of the GPU first".into(),
        };
        let text = "a compute capability is a number of NVIDIA's";
        finding(ID, Level::Warning, &unit.passes, at, text, fault)
    };
    numeric.map(|condition| one(&condition.text, condition.at)).collect()
}
