//! `unregistered-kernel`: an image has a kernel that the host does not register.

use std::sync::Arc;

use crate::artifact::{Artifact, Module, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::PassSet;

use super::evidence::{Registered, merged, registered, short};
use super::gpus::Gpus;

pub(in crate::rules) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../../rules/unregistered-kernel.md"),
    check: Check::Artifact(check),
};

const ID: &str = "unregistered-kernel";

fn check(artifact: &Artifact) -> Vec<Built> {
    let found = artifact.modules.iter().flat_map(|module| {
        // A module that is loaded by the driver's functions registers nothing.
        let any = module.kernels.keys().any(|name| registered(artifact, name) == Registered::Yes);
        let gpus = Gpus::of(module).filter(|_| any);
        gpus.into_iter().flat_map(|gpus| of_module(artifact, module, &gpus)).collect::<Vec<_>>()
    });
    merged(found.chain(of_host(artifact)).collect())
}

/// Kernel templates that the host instantiates without a pass that registers them.
fn of_host(artifact: &Artifact) -> Vec<Built> {
    let Some(Gpus { passes, .. }) = artifact.modules.iter().find_map(Gpus::of) else { return Vec::new() };
    let one = |name: &String| {
        Built {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
        message: format!("the host launches `{name}`, which no pass for a GPU made it register"),
        entity: name.clone(),
        what: "kernel",
        label: "instantiated on the host only, or not for the last target".into(),
        passes: passes.clone(),
        views: vec![View { passes: PassSet::HOST, sees: "instantiates the kernel and does not register it".into() }],
        consequences: vec![
            "The host calls a stub that no kernel is behind: the launch fails with cudaErrorInvalidDeviceFunction, or \
             does nothing."
                .into(),
        ],
        notes: Vec::new(),
    }
    };
    artifact.stubs.unregistered.iter().map(one).collect()
}

fn of_module(artifact: &Artifact, module: &Module, gpus: &Gpus) -> Vec<Built> {
    let unregistered = module.kernels.keys().filter(|name| registered(artifact, name) == Registered::No);
    let one = |name: &Arc<str>| {
        let having = gpus.passes_with(|index| module.kernels[name][index].is_some());
        let lacking = gpus.passes.devices().minus(having);
        let mut views = vec![
            View { passes: PassSet::HOST, sees: "does not register the kernel".into() },
            View { passes: having, sees: "the kernel".into() },
        ];
        if !lacking.is_empty() {
            views.push(View { passes: lacking, sees: "no such kernel".into() });
        }
        Built {
            rule: ID,
            level: Level::Warning,
            certainty: Certainty::Definite,
            message: format!(
                "the code for {} has `{}`, which the host does not register",
                gpus.passes.describe(having),
                short(name)
            ),
            entity: readable(name),
            what: "kernel",
            label: "not registered by the host".into(),
            passes: gpus.passes.clone(),
            views,
            consequences: vec![
                "If the host launches it, the launch fails on every GPU: nvcc made the host's registration code from \
                 the pass for its last target, which has no such kernel."
                    .into(),
            ],
            notes: Vec::new(),
        }
    };
    unregistered.map(one).collect()
}
