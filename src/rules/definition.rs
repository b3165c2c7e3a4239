//! `arch-dependent-definition`: something is defined in some passes and not in others.

use std::sync::Arc;

use crate::facts::{DefinitionFact, SignedFact};
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::target::PassSet;

use super::evidence::{all, deciding, labels, missing_in_device_code, short, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../rules/arch-dependent-definition.md"),
    check: Check::Unit(check),
};

/// The rule's id.
pub const ID: &str = "arch-dependent-definition";

const NOTE: &str = "The CUDA C++ Programming Guide, restriction 3 on `__CUDA_ARCH__`: in separate compilation, \
     whether a function or variable with external linkage is defined must not depend on it.";

const REGISTERED: &str = "The host registers kernels and device variables by name for every GPU; this holds in \
     whole-program compilation too.";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let registered = unit.facts.kernels.iter().chain(&unit.facts.variables);
    let mut findings: Vec<Finding> = registered
        .filter(|fact| !fact.is_template && is_missing(fact, needed(unit)))
        .map(|fact| registered_finding(unit, fact))
        .collect();
    let external = unit.facts.definitions.iter().filter(|fact| !fact.defined.contains(needed(unit)));
    findings.extend(external.map(|fact| external_finding(unit, fact)));
    findings
}

/// The passes that need what the unit defines.
fn needed(unit: &Unit<'_>) -> PassSet {
    match unit.facts.is_for_devices_alone {
        true => unit.facts.compared.minus(PassSet::HOST),
        false => unit.facts.compared,
    }
}

/// Whether some pass lacks a kernel or device variable that it needs. What only device passes have of an
/// overloaded name, the host does not call; what it declares and every target defines, it can.
pub(super) fn is_missing(fact: &SignedFact, compared: PassSet) -> bool {
    let targets = compared.minus(PassSet::HOST);
    let harmless = fact.named_on_host && (!all(&fact.cases).has(0) || fact.defined.contains(targets));
    !fact.defined.is_empty() && !fact.defined.contains(compared) && !harmless
}

fn registered_finding(unit: &Unit<'_>, fact: &SignedFact) -> Finding {
    let passes = &unit.passes;
    let name = short(&fact.name);
    let lacking = needed(unit).minus(fact.defined);
    let (primary, others) = fact.places.split_first().expect("a fact has a place");
    let declared = all(&fact.cases);
    let declared_only = declared.minus(fact.defined);
    let mut lines = vec![(fact.defined, "defined".to_string())];
    if !declared_only.is_empty() {
        lines.push((declared_only, "only declared".into()));
    }
    if !lacking.minus(declared_only).is_empty() {
        lines.push((lacking.minus(declared_only), "not declared".into()));
    }
    let is_loaded = unit.facts.is_for_devices_alone && !fact.defined.has(0);
    let mut consequences = if is_loaded {
        vec![format!("Who loads the code for {} does not find it by its name.", passes.describe(lacking))]
    } else if fact.defined.has(0) {
        let mut sentences = missing_in_device_code(passes, fact.defined, unit.facts.compared);
        sentences.extend(unlinked(unit, fact));
        sentences
    } else {
        device_only(unit, fact)
    };
    if fact.defined.has(0) && consequences.is_empty() {
        consequences.push("The host refers to it by a name no device code defines.".into());
    }
    Finding {
        rule: ID,
        level: if is_loaded { Level::Note } else { Level::Error },
        certainty: Certainty::Definite,
        defect: match fact.what.is_kernel() {
            _ if is_loaded => Defect::LoadedKernelMissing,
            true => Defect::KernelMissing,
            false => Defect::Other,
        },
        message: format!(
            "{} `{name}` is defined on {} and not on {}",
            fact.what,
            passes.describe(fact.defined),
            passes.describe(lacking)
        ),
        entity: fact.name.clone(),
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at: *primary, text: format!("this {} is not in every pass", fact.what) },
        related: labels(others, "and here"),
        views: views(lines.into_iter()),
        deciding: deciding(fact.presence_cause.as_ref()),
        consequences,
        notes: if is_loaded { Vec::new() } else { vec![NOTE.to_string(), REGISTERED.to_string()] },
    }
}

/// The host's function of a kernel that is no template is made by the last target: a launch is an undefined reference
/// where that lacks the kernel (measured on 13.0).
fn unlinked(unit: &Unit<'_>, fact: &SignedFact) -> Option<String> {
    let stub = unit.passes.stub().filter(|_| fact.what.is_kernel())?;
    let lacking = unit.passes.devices().and(unit.facts.compared).minus(fact.defined);
    if lacking.is_empty() {
        None
    } else if lacking.has(stub) {
        Some(
            "A launch of it by the host does not link, since no target's code defines it for the host."
                .into(),
        )
    } else {
        Some("A launch of it by the host would not even link then.".into())
    }
}

/// The registration code of the last target names what the host compiler never saw.
fn device_only(unit: &Unit<'_>, fact: &SignedFact) -> Vec<String> {
    let Some(stub) = unit.passes.stub() else {
        return Vec::new();
    };
    let stub_name = unit.passes.describe(PassSet::single(stub));
    if fact.defined.has(stub) {
        vec![format!(
            "The registration code made by the last target, {stub_name}, names it, and the host compiler never saw \
             it: typically `error: '{}' was not declared in this scope` in a `.stub.c` file.",
            short(&fact.name)
        )]
    } else {
        vec![format!(
            "The last target, {stub_name}, lacks it, so this builds; with the targets in another order the \
             registration code would not compile."
        )]
    }
}

fn external_finding(unit: &Unit<'_>, fact: &DefinitionFact) -> Finding {
    let passes = &unit.passes;
    let name = short(&fact.name);
    let lacking = needed(unit).minus(fact.defined);
    let device_lacking = lacking.and(passes.devices());
    let consequences = if fact.on_device && !device_lacking.is_empty() {
        vec![format!("An object that needs it fails to link for {}.", passes.describe(device_lacking))]
    } else {
        Vec::new()
    };
    Finding {
        rule: ID,
        level: Level::Warning,
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message: format!(
            "{} `{name}` is defined on {} and not on {}",
            fact.what,
            passes.describe(fact.defined),
            passes.describe(lacking)
        ),
        entity: fact.name.clone(),
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "defined here, but not in every pass".into() },
        related: Vec::new(),
        views: views([(fact.defined, "defined".to_string()), (lacking, "not defined".into())].into_iter()),
        deciding: deciding(fact.cause.as_ref()),
        consequences,
        notes: vec![NOTE.to_string()],
    }
}
