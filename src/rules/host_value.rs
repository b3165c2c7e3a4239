//! `host-value-by-pass`: host code tells the device a value that device passes have another one of.

use crate::facts::{HostUse, HostValueFact};
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::target::PassSet;

use super::evidence::{deciding, is_told_by_types, is_told_otherwise, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/host-value-by-pass.md"), check: Check::Own(check) };

const ID: &str = "host-value-by-pass";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let is_told = |fact: &&HostValueFact| {
        let at = fact.cause.as_ref().map(|cause| cause.at);
        let is_told_in_place = |at| unit.facts.host_zero.iter().any(|other| other.at == at);
        at.is_some_and(|at| is_told_otherwise(unit, at) || is_told_by_types(unit, at) || is_told_in_place(at))
    };
    let facts = unit.facts.host_values.iter().filter(|fact| !is_told(fact));
    facts.map(|fact| finding(unit, fact)).collect()
}

fn finding(unit: &Unit<'_>, fact: &HostValueFact) -> Finding {
    let HostValueFact { name, function, .. } = fact;
    let of_host = |one: &&(PassSet, String)| one.0.meets(PassSet::HOST);
    let host = fact.cases.iter().find(of_host).map_or("", |(_, value)| value);
    let others: Vec<String> = fact
        .cases
        .iter()
        .filter(|one| !of_host(one))
        .map(|(passes, value)| format!("{value} on {}", unit.passes.describe(*passes)))
        .collect();
    let does = match fact.used {
        HostUse::Launch => "launches a kernel with it",
        HostUse::Memory => "hands it to the device's memory",
        HostUse::Argument => "passes it to a kernel",
        HostUse::Loop => "launches kernels as often as it says",
        HostUse::Occupancy => "asks for the occupancy of a kernel with it",
    };
    let mut related = vec![Label { at: fact.site, text: "the host's value is used here".into() }];
    related.extend(fact.on_device.map(|at| Label { at, text: "device code has its own value".into() }));
    Finding {
        rule: ID,
        level: if fact.on_device.is_some() { Level::Warning } else { Level::Note },
        certainty: Certainty::Definite,
        defect: Defect::HostAnswer,
        message: format!("`{name}` is {host} on the host, where `{function}` {does}, and {}", others.join(", ")),
        entity: name.clone(),
        passes: unit.passes.clone(),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "the passes have different values of this".into() },
        related,
        views: views(fact.cases.iter().map(|(passes, value)| (*passes, format!("{name} = {value}")))),
        deciding: deciding(fact.cause.as_ref()),
        consequences: vec![
            "The host's value is that of every launch, whatever GPU runs it; device code was compiled with the others.".into(),
        ],
        notes: vec![
            "Give every pass the same value, or choose the host's by the GPU's compute capability at run time.".into(),
        ],
    }
}
