//! `mismatched-variable`: images, or an image and the host, disagree about a variable.

use std::sync::Arc;

use crate::artifact::{Artifact, Module, Variable, VariableKind, plain, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::PassSet;

use super::evidence::{Registered, UNKNOWN_USE, Used, merged, registered, short, used};
use super::gpus::Gpus;

pub(in crate::rules) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../../rules/mismatched-variable.md"),
    check: Check::Artifact(check),
};

const ID: &str = "mismatched-variable";

fn check(artifact: &Artifact) -> Vec<Built> {
    let found = artifact.modules.iter().flat_map(|module| {
        let of_module = |gpus: Gpus| {
            let one = |name: &Arc<str>| match registered(artifact, name) {
                Registered::Yes => mismatched(artifact, module, &gpus, name)
                    .or_else(|| of_shadow(artifact, module, &gpus, name)),
                Registered::No => unregistered(artifact, module, &gpus, name),
                Registered::Unknown => None,
            };
            module.variables.keys().filter_map(one).collect::<Vec<_>>()
        };
        Gpus::of(module).map(of_module).unwrap_or_default()
    });
    merged(found.collect())
}

/// A variable of another size on the host: copies go by the host's.
fn of_shadow(artifact: &Artifact, module: &Module, gpus: &Gpus, name: &str) -> Option<Built> {
    let host = *artifact.shadows.get(name)?;
    let variable = module.variables[name].iter().flatten().next()?;
    if variable.kind == VariableKind::Texture || variable.size == host {
        return None;
    }
    let device = gpus.passes.devices();
    let short = short(name);
    Some(Built {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
        message: format!(
            "`{short}` has {host} bytes on the host and {} on {}",
            variable.size,
            gpus.passes.describe(device)
        ),
        entity: readable(name),
        what: "variable",
        label: format!("the host's variable of this name has {host} bytes"),
        passes: gpus.passes.clone(),
        views: vec![
            View { passes: PassSet::HOST, sees: format!("{host} bytes") },
            View { passes: device, sees: describe(Some(*variable)) },
        ],
        consequences: vec![
            "Copies to and from it are made for the host's type, and the GPU has another there.".into(),
        ],
        notes: Vec::new(),
    })
}

/// A variable that some images have and the host has, and does not register.
fn unregistered(artifact: &Artifact, module: &Module, gpus: &Gpus, name: &str) -> Option<Built> {
    let row = &module.variables[name];
    let having = gpus.passes_with(|index| row[index].is_some());
    let lacking = gpus.passes.devices().minus(having);
    // What the program can't name, a compiler may leave out for one target.
    if lacking.is_empty()
        || !artifact.shadows.contains_key(name)
        || plain(name) != name
        || name.contains("_INTERNAL_")
    {
        return None;
    }
    let short = short(name);
    Some(Built {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
        message: format!("the code for {} has `{short}`, which the host does not register", gpus.passes.describe(having)),
        entity: readable(name),
        what: "variable",
        label: "not registered by the host".into(),
        passes: gpus.passes.clone(),
        views: vec![
            View { passes: PassSet::HOST, sees: "has the variable and does not register it".into() },
            View { passes: having, sees: describe(row.iter().flatten().next().copied()) },
            View { passes: lacking, sees: describe(None) },
        ],
        consequences: vec![
            "Copies to and from it fail with cudaErrorInvalidSymbol on every GPU: nvcc made the host's registration code \
             from the pass for its last target, which has no such variable."
                .into(),
        ],
        notes: Vec::new(),
    })
}

fn mismatched(artifact: &Artifact, module: &Module, gpus: &Gpus, name: &str) -> Option<Built> {
    let row = &module.variables[name];
    let mut classes: Vec<(Option<Variable>, PassSet)> = Vec::new();
    // Of textures that no kernel of an image uses, ptxas leaves nothing there.
    let is_texture = row.iter().flatten().any(|variable| variable.kind == VariableKind::Texture);
    for (pass, images) in gpus.images() {
        let variable = images.iter().find_map(|index| row[*index]);
        if is_texture && variable.is_none() {
            continue;
        }
        match classes.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, set)) => *set = set.or(PassSet::single(pass)),
            None => classes.push((variable, PassSet::single(pass))),
        }
    }
    let [(first, first_set), (second, second_set), ..] = classes.as_slice() else { return None };
    // Only of what some image lacks it matters whether the host uses it.
    let is_missing = classes.iter().any(|(variable, _)| variable.is_none());
    let used = if is_missing { used(artifact, name) } else { Used::Yes };
    if used == Used::No {
        return None;
    }
    let views = classes.iter().map(|(variable, passes)| View { passes: *passes, sees: describe(*variable) });
    let host = View { passes: PassSet::HOST, sees: "registers the variable".into() };
    Some(Built {
        rule: ID,
        level: Level::Error,
        certainty: if used == Used::Yes { Certainty::Definite } else { Certainty::Likely },
        message: format!(
            "`{}`, which the host registers, is {} on {} and {} on {}",
            short(name),
            describe(*first),
            gpus.passes.describe(*first_set),
            describe(*second),
            gpus.passes.describe(*second_set)
        ),
        entity: readable(name),
        what: "variable",
        label: "it differs between images".into(),
        passes: gpus.passes.clone(),
        views: std::iter::once(host).chain(views).collect(),
        consequences: vec![
            "Copies to and from it fail with cudaErrorInvalidSymbol where it is missing, and reach beyond it where it \
             is smaller."
                .into(),
        ],
        notes: (used == Used::Unknown).then(|| UNKNOWN_USE.into()).into_iter().collect(),
    })
}

/// `28 bytes of device memory`.
pub(super) fn describe(variable: Option<Variable>) -> String {
    let Some(Variable { kind, size }) = variable else { return "missing".into() };
    match kind {
        VariableKind::Device => format!("{size} bytes of device memory"),
        VariableKind::Constant => format!("{size} bytes of constant memory"),
        VariableKind::Texture => "a texture or surface".into(),
    }
}
