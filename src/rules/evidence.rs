//! Parts of findings that several rules share: sides, the deciding conditional, consequences.

use std::sync::Arc;

use crate::facts::{Cause, InstantiationFact, SignedCase};
use crate::finding::{Certainty, Deciding, Defect, Derived, Finding, Label, Level, View};
use crate::source::Span;
use crate::target::{Fault, PassSet, Passes};

use super::unit::Unit;

/// Views ordered with the host's first.
pub(super) fn views(cases: impl Iterator<Item = (PassSet, String)>) -> Vec<View> {
    let mut views: Vec<View> = cases.map(|(passes, sees)| View { passes, sees }).collect();
    views.sort_by_key(|view| view.passes.lowest());
    views
}

/// The conditional behind a finding, as the finding carries it.
pub(super) fn deciding(cause: Option<&Cause>) -> Option<Deciding> {
    let cause = cause?;
    let derivation = cause
        .derivation
        .iter()
        .map(|step| Derived { text: step.text.clone(), at: step.at, passes: step.passes })
        .collect();
    Some(Deciding { text: cause.text.clone(), at: cause.at, derivation })
}

/// Whether the same conditional is behind a finding about instantiations or definitions, which says more.
pub(super) fn is_told_otherwise(unit: &Unit<'_>, conditional: Span) -> bool {
    let instantiations = unit.facts.instantiations.iter().filter_map(|other| other.cause.as_ref());
    let definitions = unit.facts.definitions.iter().filter_map(|other| other.cause.as_ref());
    instantiations.chain(definitions).any(|cause| cause.at == conditional)
}

/// The same, but not of instantiations that no host code mentions, of which nothing is found.
pub(super) fn is_told_of_the_host(unit: &Unit<'_>, conditional: Span) -> bool {
    let by_host = |one: &&InstantiationFact| one.variable || one.passes.has(0);
    let instantiations =
        unit.facts.instantiations.iter().filter(by_host).filter_map(|one| one.cause.as_ref());
    let definitions = unit.facts.definitions.iter().filter_map(|other| other.cause.as_ref());
    instantiations.chain(definitions).any(|cause| cause.at == conditional)
}

/// Whether the same conditional is behind a finding about a type or a layout, which says what becomes of the difference.
pub(super) fn is_told_by_types(unit: &Unit<'_>, conditional: Span) -> bool {
    let signed = unit.facts.kernels.iter().chain(&unit.facts.variables);
    let signed = signed.filter(|fact| fact.cases.len() > 1).filter_map(|fact| fact.type_cause.as_ref());
    let layouts = unit.facts.layouts.iter().filter_map(|fact| fact.cause.as_ref());
    signed.chain(layouts).any(|cause| cause.at == conditional)
}

/// The passes that have one of the cases.
pub(super) fn all(cases: &[SignedCase]) -> PassSet {
    cases.iter().fold(PassSet::EMPTY, |all, case| all.or(case.passes))
}

/// `definite`, or `likely` with a name that stayed unresolved.
pub(super) fn certainty(sure: bool) -> Certainty {
    if sure { Certainty::Definite } else { Certainty::Likely }
}

/// A label for each further place.
pub(super) fn labels(places: &[Span], text: &str) -> Vec<Label> {
    places.iter().map(|at| Label { at: *at, text: text.to_string() }).collect()
}

/// A qualified name's last part, as it stands in the source.
pub(super) fn short(name: &str) -> &str {
    let head = name.split('<').next().unwrap_or(name);
    let start = head.rfind("::").map_or(0, |at| at + 2);
    &name[start..]
}

/// Targets, any of which will do.
pub(super) fn any_of(passes: &Passes, targets: PassSet) -> String {
    if targets.len() == 1 { passes.describe(targets) } else { "one of these".into() }
}

/// The consequences when `present` has an entity that kernel launches or symbol look-ups of the host
/// need, and the other passes lack it: which GPUs fail, and what the order of the targets hides.
///
/// nvcc takes the host's stubs and its registration from the last target (measured on 11.8 to 13.5):
/// what that pass lacks is never registered, on any GPU.
pub(super) fn missing_in_device_code(passes: &Passes, present: PassSet, compared: PassSet) -> Vec<String> {
    let devices = passes.devices().and(compared);
    let lacking = devices.minus(present);
    let Some(stub) = passes.stub() else {
        return Vec::new();
    };
    if lacking.is_empty() {
        return Vec::new();
    }
    let stub_name = passes.describe(PassSet::single(stub));
    if lacking.has(stub) {
        let mut sentences = vec![if devices.minus(lacking).is_empty() {
            "It is registered for no GPU: every use of it from the host fails.".to_string()
        } else {
            format!(
                "The host's registration is taken from the last target, {stub_name}, which lacks it: every use of \
                 it from the host fails on every GPU, also where device code has it."
            )
        }];
        if !devices.minus(lacking).is_empty() {
            sentences.push(
                "With the targets in another order it would fail on fewer GPUs; that mends nothing.".into(),
            );
        }
        return sentences;
    }
    vec![
        format!("Uses of it from the host fail on {}, whose device code lacks it.", passes.describe(lacking)),
        format!(
            "With {} as the last target instead of {stub_name} nothing would be registered, and every GPU would \
             fail.",
            any_of(passes, lacking)
        ),
    ]
}

/// A finding about something that passes are not compared for: a fault and the words it is in.
pub fn of_fault(
    rule: &'static str,
    level: Level,
    passes: &Arc<Passes>,
    at: Span,
    text: &str,
    fault: Fault,
) -> Finding {
    let mut help = fault.help;
    help[..1].make_ascii_uppercase();
    Finding {
        rule,
        level,
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message: fault.message,
        entity: fault.about,
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at, text: text.into() },
        related: Vec::new(),
        views: Vec::new(),
        deciding: None,
        consequences: Vec::new(),
        notes: vec![format!("{help}.")],
    }
}
