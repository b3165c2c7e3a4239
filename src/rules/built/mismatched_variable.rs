//! `mismatched-variable`: the host registers a variable that an image lacks or has in another size.

use crate::artifact::{Artifact, Module, Variable, VariableKind, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::PassSet;

use super::evidence::{Registered, merged, registered, short};
use super::gpus::Gpus;

pub(in crate::rules) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../../rules/mismatched-variable.md"),
    check: Check::Artifact(check),
};

const ID: &str = "mismatched-variable";

fn check(artifact: &Artifact) -> Vec<Built> {
    let found = artifact.modules.iter().flat_map(|module| {
        let gpus = Gpus::of(module);
        let of_module = |gpus| {
            let names = module.variables.keys().filter(|name| registered(artifact, name) == Registered::Yes);
            names.filter_map(|name| mismatched(module, &gpus, name)).collect::<Vec<_>>()
        };
        gpus.map(of_module).unwrap_or_default()
    });
    merged(found.collect())
}

fn mismatched(module: &Module, gpus: &Gpus, name: &str) -> Option<Built> {
    let row = &module.variables[name];
    let mut classes: Vec<(Option<Variable>, PassSet)> = Vec::new();
    for (pass, images) in gpus.images() {
        let variable = images.iter().find_map(|index| row[*index]);
        match classes.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, set)) => *set = set.or(PassSet::single(pass)),
            None => classes.push((variable, PassSet::single(pass))),
        }
    }
    let [(first, first_set), (second, second_set), ..] = classes.as_slice() else { return None };
    let views = classes.iter().map(|(variable, passes)| View { passes: *passes, sees: describe(*variable) });
    let host = View { passes: PassSet::HOST, sees: "registers the variable".into() };
    Some(Built {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
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
        notes: Vec::new(),
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
