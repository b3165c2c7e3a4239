//! `arch-dependent-signature`: the type of a kernel or device variable differs between passes.

use std::sync::Arc;

use crate::facts::{InstantiationFact, SignedCase, SignedFact};
use crate::finding::{Defect, Finding, Label, Level};
use crate::target::{PassSet, Passes};

use super::evidence::{all, any_of, certainty, deciding, labels, missing_in_device_code, short, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/arch-dependent-signature.md"), check: Check::Unit(check) };

/// The rule's id.
pub const ID: &str = "arch-dependent-signature";

const NOTE: &str = "The CUDA C++ Programming Guide, restriction 1 on `__CUDA_ARCH__`: the type signature of \
     kernels, kernel templates, device variables, textures and surfaces must not depend on whether it is defined, \
     nor on its value.";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let signed = unit.facts.kernels.iter().chain(&unit.facts.variables);
    let mut findings: Vec<Finding> =
        signed.filter(|fact| fact.cases.len() > 1).map(|fact| signed_finding(unit, fact)).collect();
    let known: Vec<String> = findings.iter().map(|finding| finding.entity.clone()).collect();
    let instantiated = unit.facts.instantiations.iter().filter(|fact| fact.signatures.len() > 1);
    findings.extend(
        instantiated
            .filter(|fact| !known.contains(&fact.kernel))
            .map(|fact| instantiated_finding(unit, fact)),
    );
    let missing = unit.facts.instantiations.iter().filter(|fact| fact.variable);
    let missing = missing.filter(|fact| fact.passes.has(0) && fact.passes != fact.compared);
    findings.extend(
        missing.filter(|fact| !known.contains(&fact.kernel)).map(|fact| variable_finding(unit, fact)),
    );
    findings
}

/// The host names an instantiation of a variable template that some target does not have.
fn variable_finding(unit: &Unit<'_>, fact: &InstantiationFact) -> Finding {
    let passes = &unit.passes;
    let name = short(&fact.shown);
    let mut rest = fact.compared.minus(fact.passes);
    let message = format!(
        "`{name}` is a variable of {} and not of {}",
        passes.describe(fact.passes),
        passes.describe(rest)
    );
    let mut lines = vec![(fact.passes, format!("`{name}`"))];
    for (set, instead) in &fact.instead {
        let set = set.and(rest);
        if !set.is_empty() {
            lines.push((set, format!("`{}` instead", short(instead))));
            rest = rest.minus(set);
        }
    }
    if !rest.is_empty() {
        lines.push((rest, "no such variable".into()));
    }
    let site = fact.sites.first().expect("an instantiation has a site");
    Finding {
        rule: ID,
        level: Level::Error,
        certainty: certainty(fact.sure),
        defect: Defect::TypeDiffers,
        message,
        entity: fact.kernel.clone(),
        passes: Arc::clone(passes),
        instances: Vec::new(),
        primary: Label { at: site.at, text: format!("names `{name}`, which not every pass has") },
        related: vec![Label { at: fact.declared, text: "the variable template".into() }],
        views: views(lines.into_iter()),
        deciding: deciding(fact.cause.as_ref()),
        consequences: missing_in_device_code(passes, fact.passes, fact.compared),
        notes: vec![NOTE.to_string()],
    }
}

fn signed_finding(unit: &Unit<'_>, fact: &SignedFact) -> Finding {
    let name = short(&fact.name);
    let is_kernel = fact.what.is_kernel();
    let (primary, others) = fact.places.split_first().expect("a fact has a place");
    let text = if fact.moves {
        format!("this {} is in another inline namespace in other passes", fact.what)
    } else {
        format!("this {} has another type in other passes", fact.what)
    };
    let word = if is_kernel && !fact.moves { "takes" } else { "is" };
    let colon = if is_kernel { "" } else { ": " };
    Finding {
        rule: ID,
        level: Level::Error,
        certainty: certainty(fact.cases.iter().all(|case| case.sure)),
        defect: Defect::TypeDiffers,
        message: sides(&unit.passes, name, word, &fact.cases),
        entity: fact.name.clone(),
        passes: Arc::clone(&unit.passes),
        instances: Vec::new(),
        primary: Label { at: *primary, text },
        related: labels(others, "and here"),
        views: views(fact.cases.iter().map(|case| {
            // Where the namespace differs, the cases spell the name too.
            let sees = if fact.moves { case.shown.clone() } else { format!("{name}{colon}{}", case.shown) };
            (case.passes, sees)
        })),
        deciding: deciding(fact.type_cause.as_ref()),
        consequences: if fact.moves {
            moved(&unit.passes, &fact.cases, name)
        } else {
            consequences(&unit.passes, &fact.cases, is_kernel)
        },
        notes: vec![NOTE.to_string()],
    }
}

/// The consequences when the registration code, made by the last target, spells a namespace that other
/// passes do not have.
fn moved(passes: &Passes, cases: &[SignedCase], name: &str) -> Vec<String> {
    let Some((stub, own)) =
        passes.stub().and_then(|stub| Some((stub, cases.iter().find(|case| case.passes.has(stub))?)))
    else {
        return Vec::new();
    };
    let stub_name = passes.describe(PassSet::single(stub));
    if !own.passes.has(0) {
        return vec![format!(
            "The registration code made by the last target, {stub_name}, names `{name}` in a namespace that the \
             host compiler never saw: typically `error: … has not been declared` in a `.stub.c` file."
        )];
    }
    let lacking = passes.devices().minus(own.passes).and(all(cases));
    vec![format!(
        "The host finds it on {}; on {} there is none of that name. With {} as the last target the registration \
         code would not compile.",
        passes.describe(own.passes.and(passes.devices())),
        passes.describe(lacking),
        any_of(passes, lacking)
    )]
}

fn instantiated_finding(unit: &Unit<'_>, fact: &InstantiationFact) -> Finding {
    let name = short(&fact.shown);
    let (word, colon, shape) = match fact.variable {
        true => ("is", ": ", "another type"),
        false => ("takes", "", "other parameters"),
    };
    let sites =
        fact.sites.iter().map(|site| Label { at: site.at, text: format!("`{name}` is instantiated here") });
    Finding {
        rule: ID,
        level: Level::Error,
        certainty: certainty(fact.sure && fact.signatures.iter().all(|case| case.sure)),
        defect: Defect::TypeDiffers,
        message: sides(&unit.passes, name, word, &fact.signatures),
        entity: fact.kernel.clone(),
        passes: Arc::clone(&unit.passes),
        instances: Vec::new(),
        primary: Label { at: fact.declared, text: format!("`{name}` has {shape} in other passes") },
        related: sites.take(3).collect(),
        views: views(
            fact.signatures.iter().map(|case| (case.passes, format!("{name}{colon}{}", case.shown))),
        ),
        deciding: deciding(fact.cause.as_ref()),
        consequences: consequences(&unit.passes, &fact.signatures, !fact.variable),
        notes: vec![NOTE.to_string()],
    }
}

/// "`scale` takes `(double *)` on sm_90 and `(float *)` on the host and sm_80".
fn sides(passes: &Passes, name: &str, word: &str, cases: &[SignedCase]) -> String {
    let mut sorted: Vec<&SignedCase> = cases.iter().collect();
    sorted.sort_by_key(|case| case.passes.has(0));
    let sides: Vec<String> = sorted
        .iter()
        .map(|case| format!("`{}` on {}", case.shown.trim(), passes.describe(case.passes)))
        .collect();
    match sides.split_last() {
        Some((last, init)) => format!("`{name}` {word} {} and {last}", init.join(", ")),
        None => String::new(),
    }
}

/// The effect of the order of the targets: the host's function is what the last target declares, which the host's
/// compiler takes where both spell its types alike, and refuses or does not link where they do not (measured on 13.0).
fn in_another_order(passes: &Passes, stub_case: &SignedCase, cases: &[SignedCase]) -> Option<String> {
    let on_host = cases.iter().find(|case| case.passes.has(0))?.passes;
    let agreeing = on_host.and(passes.devices());
    let others = all(cases).and(passes.devices()).minus(on_host);
    if others.is_empty() {
        return None;
    }
    if stub_case.passes.has(0) {
        return Some(format!(
            "With {} as the last target the host's arguments would be misread, or the build would fail where the \
             types are not spelled alike.",
            passes.describe(others)
        ));
    }
    (!agreeing.is_empty()).then(|| {
        format!(
            "Where the types are not spelled alike the build fails; with {} as the last target it builds, and fails \
             on {} at run time.",
            passes.describe(agreeing),
            passes.describe(others)
        )
    })
}

fn consequences(passes: &Passes, cases: &[SignedCase], is_kernel: bool) -> Vec<String> {
    let Some(stub) = passes.stub() else {
        return Vec::new();
    };
    let devices = passes.devices();
    let Some(stub_case) = cases.iter().find(|case| case.passes.has(stub)) else {
        return Vec::new();
    };
    let same_name_missing = devices.minus(stub_case.passes).and(all(cases));
    let stub_name = passes.describe(PassSet::single(stub));
    let mut sentences = Vec::new();
    if !stub_case.passes.has(0) {
        sentences.push(if is_kernel {
            format!(
                "The host passes arguments of its own types to the kernel that the last target, {stub_name}, \
                 registers: they are misread on {}.",
                passes.describe(stub_case.passes.and(devices))
            )
        } else {
            format!(
                "Copies to and from the symbol go by the host's type; on {} it has another.",
                passes.describe(stub_case.passes.and(devices))
            )
        });
    }
    if is_kernel {
        sentences.extend(in_another_order(passes, stub_case, cases));
    }
    if !same_name_missing.is_empty() {
        sentences.push(if is_kernel {
            format!(
                "The host registers the kernel as the last target, {stub_name}, declares it; on {} there is none of \
                 that name, or it reads other arguments.",
                passes.describe(same_name_missing)
            )
        } else {
            format!(
                "The host registers the variable as the last target, {stub_name}, declares it; on {} it has other \
                 bytes.",
                passes.describe(same_name_missing)
            )
        });
    }
    sentences
}
