//! `arch-dependent-instantiation`: the host launches a kernel template's instantiation that a device
//! pass does not have.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::{Cause, InstantiationFact, Site, UnprovedMention};
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::source::Span;

use super::definition::is_missing;
use super::evidence::{certainty, deciding, missing_in_device_code, short, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../rules/arch-dependent-instantiation.md"),
    check: Check::Unit(check),
};

/// The rule's id.
pub const ID: &str = "arch-dependent-instantiation";

const NOTE: &str = "The CUDA C++ Programming Guide, restriction 2 on `__CUDA_ARCH__`: a kernel template must be \
     instantiated with the same template arguments in every pass, whether or not the macro is defined and whatever \
     its value.";

const SAME_ARGUMENTS: &str = "Give it the same template arguments in every pass: choose inside the kernel, where \
     each pass may do as it likes, or on the host at run time.";

const CALL: &str = "Call it in every pass: what the guard is for belongs in the code that the kernels run, or in a test on \
     the host at run time.";

const FIX: &str = "Instantiate it in every pass: move the guard into the kernel's body, or mention the \
     instantiation without a guard, e.g. `(void)&kernel<T>;`.";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let missing = unit
        .facts
        .instantiations
        .iter()
        .filter(|fact| !fact.variable && fact.passes.has(0) && fact.passes != fact.compared)
        .filter(|fact| !told_of_the_kernel(unit, fact));
    let mut causes: Vec<Vec<&InstantiationFact>> = Vec::new();
    for fact in missing {
        // One call of a library's function may lead to many kernels.
        let call =
            |fact: &InstantiationFact| fact.sites.first().filter(|_| fact.by_call).map(|site| site.call);
        let same = |known: &&InstantiationFact| {
            (known.kernel == fact.kernel || fact.by_call)
                && call(known) == call(fact)
                && known.passes == fact.passes
                && match (&known.cause, &fact.cause) {
                    (Some(a), Some(b)) => a.at == b.at,
                    (None, None) => true,
                    _ => false,
                }
        };
        match causes.iter_mut().find(|group| group.first().is_some_and(same)) {
            Some(group) => group.push(fact),
            None => causes.push(vec![fact]),
        }
    }
    let mut findings: Vec<Finding> = causes.into_iter().map(|group| finding(unit, &group)).collect();
    let told: FxHashSet<Span> =
        findings.iter().filter_map(|finding| finding.deciding.as_ref()).map(|deciding| deciding.at).collect();
    let is_told = |cause: &Option<Cause>| cause.as_ref().is_some_and(|cause| told.contains(&cause.at));
    let unproved = unit.facts.unproved.iter().filter(|fact| !is_told(&fact.cause));
    findings.extend(unproved.map(|fact| unproved_finding(unit, fact)));
    findings
}

/// The finding about a guarded mention of which no walk told what it instantiates.
fn unproved_finding(unit: &Unit<'_>, fact: &UnprovedMention) -> Finding {
    let passes = &unit.passes;
    let lacking = fact.compared.minus(fact.passes);
    let written = &fact.written;
    let mut related = vec![Label { at: fact.defined, text: format!("in `{}`", fact.function) }];
    let template = if fact.variable { "the variable template" } else { "the kernel template" };
    related.push(Label { at: fact.declared, text: template.into() });
    let mut notes = vec![format!("Which instantiations that makes was not proved: {}.", fact.why)];
    match fact.variable {
        true => notes.push("Name it in every pass.".to_string()),
        false => notes.extend([
            NOTE.to_string(),
            "Mention it in every pass: move the guard into the kernel's body.".to_string(),
        ]),
    }
    Finding {
        rule: ID,
        level: Level::Warning,
        certainty: Certainty::Likely,
        defect: Defect::Other,
        message: format!(
            "`{written}` may instantiate `{}` on {} and not on {}",
            fact.kernel,
            passes.describe(fact.passes),
            passes.describe(lacking)
        ),
        entity: fact.kernel.clone(),
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "mentioned here, but not in every pass".into() },
        related,
        views: views([(fact.passes, format!("`{written}`")), (lacking, "no mention".into())].into_iter()),
        deciding: deciding(fact.cause.as_ref()),
        consequences: missing_in_device_code(passes, fact.passes, fact.compared),
        notes,
    }
}

/// Whether the kernel's own declarations differ for the same reason: the signature and definition
/// rules tell of that, and what is instantiated in its place only follows.
fn told_of_the_kernel(unit: &Unit<'_>, fact: &InstantiationFact) -> bool {
    // An overload that only other passes have leaves no trace in those that lack it.
    let same = |other: &Option<Cause>| match (&fact.cause, other) {
        (Some(own), Some(other)) => own.at == other.at,
        (None, other) => other.is_some(),
        (Some(_), None) => false,
    };
    unit.facts.kernels.iter().filter(|kernel| kernel.name == fact.kernel).any(|kernel| {
        let other_type = kernel.cases.len() > 1 && (kernel.moves || same(&kernel.type_cause));
        let other_presence =
            !kernel.is_template && is_missing(kernel, unit.facts.compared) && same(&kernel.presence_cause);
        other_type || other_presence
    })
}

fn finding(unit: &Unit<'_>, group: &[&InstantiationFact]) -> Finding {
    let first =
        group.iter().min_by_key(|fact| fact.sites.first().map(|site| site.at)).expect("a group has a fact");
    let passes = &unit.passes;
    let lacking = first.compared.minus(first.passes);
    let more = match group.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    // The arguments of a library's kernel are its own, and long; they are told where they are what differs.
    let by_name = first.by_call && first.instead.is_empty();
    let name = short(if by_name { &first.kernel } else { &first.shown });
    let verb = if group.len() == 1 { "is" } else { "are" };
    let whose = if first.by_call { " of a library" } else { "" };
    let message = format!(
        "`{name}`{more}{whose} {verb} instantiated on {} and not on {}",
        passes.describe(first.passes),
        passes.describe(lacking)
    );
    let mut lines = vec![(first.passes, format!("`{name}`"))];
    let mut rest = lacking;
    let mut others = Vec::new();
    for (set, instead) in &first.instead {
        let set = set.and(rest);
        if !set.is_empty() {
            others.push(short(instead).to_string());
            lines.push((set, format!("`{}` instead", short(instead))));
            rest = rest.minus(set);
        }
    }
    if !rest.is_empty() {
        lines.push((rest, "no instantiation".into()));
    }
    let site = first.sites.first().expect("an instantiation has a site");
    let mut related = Vec::new();
    // What only some passes declare may take the call there.
    let overload = unit.facts.kernels.iter().find(|kernel| {
        kernel.name == first.kernel && kernel.presence_cause.is_some() && kernel.defined.meets(lacking)
    });
    let overload = overload.filter(|_| first.cause.is_none());
    if let Some(kernel) = overload
        && let Some(place) = kernel.places.first()
    {
        related.push(Label { at: *place, text: "an overload that not every pass has".into() });
    }
    let place = if first.by_call { site.call } else { site.at };
    if first.by_call {
        related.push(Label { at: site.at, text: "the library mentions it here".into() });
    }
    if site.root != place {
        related.push(Label { at: site.root, text: "reached from here".into() });
    }
    let place_of = |site: &Site| if first.by_call { site.call } else { site.at };
    for other in first.sites.iter().skip(1).map(place_of).filter(|other| *other != place).take(3) {
        related.push(Label { at: other, text: "and here".into() });
    }
    for other in group.iter().filter(|other| other.shown != first.shown && !first.by_call).take(4) {
        if let Some(site) = other.sites.first() {
            related.push(Label { at: site.at, text: format!("`{}`", short(&other.shown)) });
        }
    }
    related.push(Label { at: first.declared, text: "the kernel template".into() });
    let fix = match (first.by_call, first.instead.is_empty()) {
        (_, false) => SAME_ARGUMENTS,
        (true, true) => CALL,
        (false, true) => FIX,
    };
    let further = group.iter().filter(|other| other.shown != first.shown);
    Finding {
        rule: ID,
        level: Level::Error,
        certainty: certainty(first.sure),
        defect: match first.by_call {
            // Nothing in the library is to be edited, and its kernels' names are its own.
            true => Defect::Other,
            false => Defect::InstantiationMissing {
                template: first.declared,
                host: name.to_string(),
                further: further.map(|fact| short(&fact.shown).to_string()).collect(),
                instead: others,
            },
        },
        message,
        entity: first.kernel.clone(),
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at: place, text: format!("instantiates `{name}`, but not in every pass") },
        related,
        views: views(lines.into_iter()),
        deciding: deciding(
            first.cause.as_ref().or(overload.and_then(|kernel| kernel.presence_cause.as_ref())),
        ),
        consequences: missing_in_device_code(passes, first.passes, first.compared),
        notes: vec![NOTE.to_string(), fix.to_string()],
    }
}
