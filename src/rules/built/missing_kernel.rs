//! `missing-kernel`: the host registers a kernel that the image for some GPU lacks.

use std::collections::BTreeMap;

use crate::artifact::{Artifact, Module, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::{Pass, PassSet};

use super::evidence::{Registered, UNKNOWN_USE, Used, listed, merged, registered, short, used};
use super::gpus::Gpus;

pub(in crate::rules) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../../rules/missing-kernel.md"), check: Check::Artifact(check) };

const ID: &str = "missing-kernel";

fn check(artifact: &Artifact) -> Vec<Built> {
    let modules = artifact.modules.iter().filter_map(|module| Some((module, Gpus::of(module)?)));
    let modules: Vec<(&Module, Gpus)> = modules.collect();
    let mut definers: BTreeMap<&str, usize> = BTreeMap::new();
    for name in modules.iter().flat_map(|(module, _)| module.kernels.keys()) {
        *definers.entry(name).or_default() += 1;
    }
    let found = modules.iter().flat_map(|(module, gpus)| {
        module.kernels.keys().filter_map(|name| missing(artifact, module, gpus, name, definers[&**name]))
    });
    merged(found.collect())
}

fn missing(artifact: &Artifact, module: &Module, gpus: &Gpus, name: &str, definers: usize) -> Option<Built> {
    let has = |index: usize| module.kernels[name][index].is_some();
    let having = gpus.passes_with(has);
    let lacking = gpus.passes.devices().minus(having);
    let host = registered(artifact, name);
    if lacking.is_empty() || host == Registered::No {
        return None;
    }
    let used = used(artifact, name);
    if used == Used::No {
        return None;
    }
    let arch_lacks = |index: usize| {
        let arch = module.images[index].arch;
        lacking.iter().any(|pass| gpus.passes.list()[pass] == Pass::Device(arch))
    };
    let concerned = gpus.that_run(arch_lacks);
    if concerned.is_empty() {
        return None;
    }
    // Another module may have the kernel for these GPUs, and the host's stub may be that module's.
    let sure = host == Registered::Yes && definers == 1 && used == Used::Yes;
    let registers =
        if host == Registered::Yes { "is registered by the host and missing" } else { "is missing" };
    let short = short(name);
    let host_view = (host == Registered::Yes)
        .then(|| View { passes: PassSet::HOST, sees: "registers the kernel".into() });
    let views = [
        View { passes: having, sees: "the kernel".into() },
        View { passes: lacking, sees: "no such kernel".into() },
    ];
    Some(Built {
        rule: ID,
        level: Level::Error,
        certainty: if sure { Certainty::Definite } else { Certainty::Likely },
        message: format!("`{short}` {registers} in the code for {}", gpus.passes.describe(lacking)),
        entity: readable(name),
        what: "kernel",
        label: format!("not in the code for {}", gpus.passes.describe(lacking)),
        passes: gpus.passes.clone(),
        views: host_view.into_iter().chain(views).collect(),
        consequences: vec![format!(
            "A launch fails with cudaErrorInvalidDeviceFunction on GPUs of compute capability {}.",
            listed(&concerned)
        )],
        notes: (used == Used::Unknown).then(|| UNKNOWN_USE.into()).into_iter().collect(),
    })
}
