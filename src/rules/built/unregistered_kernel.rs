//! `unregistered-kernel`: an image has a kernel that the host does not register.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::artifact::{Artifact, Kernel, Module, function, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::{Image, ImageKind, PassSet};

use super::evidence::{Registered, Used, merged, registered, short, used};
use super::gpus::Gpus;

pub(in crate::rules) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../../rules/unregistered-kernel.md"),
    check: Check::Artifact(check),
};

const ID: &str = "unregistered-kernel";

fn check(artifact: &Artifact) -> Vec<Built> {
    let found = artifact.modules.iter().flat_map(|module| {
        // A module that is loaded by the driver's functions registers nothing; that of an object is registered by it.
        let any = artifact.uses.is_some()
            || module.kernels.keys().any(|name| registered(artifact, name) == Registered::Yes);
        let gpus = Gpus::of(module).filter(|_| any);
        gpus.into_iter().flat_map(|gpus| of_module(artifact, module, &gpus)).collect::<Vec<_>>()
    });
    let found: Vec<Built> = found.collect();
    let known: BTreeSet<String> = found.iter().map(|one| function(&one.entity).to_string()).collect();
    let of_host = of_host(artifact, &known);
    merged(found.into_iter().chain(of_host).collect())
}

/// Kernel templates that the host instantiates and no image has, but for those that are `known`.
fn of_host(artifact: &Artifact, known: &BTreeSet<String>) -> Vec<Built> {
    let Some(Gpus { passes, .. }) = artifact.modules.iter().find_map(Gpus::of) else { return Vec::new() };
    let one = |name: &String| Built {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
        message: format!("the host launches `{name}`, which no pass for a GPU made it register"),
        entity: name.clone(),
        what: "kernel",
        label: "instantiated on the host only, or not for the last target".into(),
        passes: passes.clone(),
        views: vec![View { passes: PassSet::HOST, sees: HOST_ONLY.into() }],
        consequences: vec![UNREGISTERED.into()],
        notes: Vec::new(),
    };
    artifact.stubs.unregistered.iter().filter(|name| !known.contains(*name)).map(one).collect()
}

const HOST_ONLY: &str = "instantiates the kernel and does not register it";

const UNREGISTERED: &str = "The host calls a stub that no kernel is behind: the launch fails with \
     cudaErrorInvalidDeviceFunction, or does nothing.";

const NOT_LAST: &str = "If the host launches it, the launch fails on every GPU: nvcc made the host's registration code from \
     the pass for its last target, which has no such kernel.";

fn of_another(image: Image) -> String {
    format!(
        "If the host launches it, the launch fails on every GPU: the host registers what the image {image} has, which has \
         no such kernel, and nvcc makes the registration code from one pass."
    )
}

/// The image of the pass that the host's registration code was made from: it has what is registered and nothing else. A
/// module without one was put together otherwise, and what loads its other kernels is not known.
fn registering(artifact: &Artifact, module: &Module) -> Option<Image> {
    let code = |index: &usize| module.images[*index].read && module.images[*index].kind != ImageKind::Lto;
    let is_that = |index: &usize| {
        let as_registered = |(name, row): (&Arc<str>, &Vec<Option<Kernel>>)| {
            row[*index].is_some() == (registered(artifact, name) == Registered::Yes)
        };
        module.kernels.iter().all(as_registered)
    };
    let index = (0..module.images.len()).filter(code).find(is_that)?;
    Some(Image { kind: module.images[index].kind, arch: module.images[index].arch })
}

fn of_module(artifact: &Artifact, module: &Module, gpus: &Gpus) -> Vec<Built> {
    let Some(registering) = registering(artifact, module) else { return Vec::new() };
    let unregistered = module.kernels.keys().filter(|name| registered(artifact, name) == Registered::No);
    let one = |name: &Arc<str>| {
        let use_of = used(artifact, name);
        let having = gpus.passes_with(|index| module.kernels[name][index].is_some());
        let lacking = gpus.passes.devices().minus(having);
        let entity = readable(name);
        let used = artifact.stubs.unregistered.contains(function(&entity))
            || artifact.uses.as_ref().is_some_and(|uses| uses.used.contains(name));
        if use_of == Used::No && !used {
            return None;
        }
        let host = if used { HOST_ONLY } else { "does not register the kernel" };
        let mut views = vec![
            View { passes: PassSet::HOST, sees: host.into() },
            View { passes: having, sees: "the kernel".into() },
        ];
        if !lacking.is_empty() {
            views.push(View { passes: lacking, sees: "no such kernel".into() });
        }
        let verb = if used { "launches and does not register" } else { "does not register" };
        Some(Built {
            rule: ID,
            level: if used { Level::Error } else { Level::Warning },
            certainty: if used || use_of == Used::Yes { Certainty::Definite } else { Certainty::Likely },
            message: format!(
                "the code for {} has `{}`, which the host {verb}",
                gpus.passes.describe(having),
                short(name)
            ),
            entity,
            what: "kernel",
            label: "not registered by the host".into(),
            passes: gpus.passes.clone(),
            views,
            consequences: vec![match used {
                true => UNREGISTERED.into(),
                // Each GPU has an image with the kernel, and another one with what is registered.
                false if lacking.is_empty() => of_another(registering),
                false => NOT_LAST.into(),
            }],
            notes: Vec::new(),
        })
    };
    unregistered.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::{Image, Linkage};
    use crate::target::Arch;

    /// An artifact of one module, which registers `a`, and of which each image has `a` or `a` and `b`.
    fn artifact(has_b: [bool; 2]) -> Artifact {
        let image = |number| Image {
            kind: ImageKind::Elf,
            arch: Arch::plain(number),
            read: true,
            stored: 1,
            size: 1,
        };
        let row = |has: [bool; 2]| has.map(|has| has.then(Kernel::default)).to_vec();
        let names: [Arc<str>; 2] = ["_Z1aPi".into(), "_Z1bPi".into()];
        let module = Module {
            offset: 0,
            linkage: Linkage::Complete,
            images: vec![image(80), image(90)],
            kernels: names.iter().cloned().zip([row([true; 2]), row(has_b)]).collect(),
            variables: std::collections::BTreeMap::new(),
        };
        Artifact {
            path: "a.so".into(),
            package: Default::default(),
            modules: vec![module],
            registered: Some([Arc::clone(&names[0])].into()),
            stubs: crate::artifact::Stubs::default(),
            shadows: std::collections::BTreeMap::new(),
            uses: None,
        }
    }

    #[test]
    fn a_module_that_no_pass_registered_is_left_alone() {
        let found = check(&artifact([true, false]));
        assert_eq!(found.iter().map(|one| one.entity.as_str()).collect::<Vec<_>>(), ["b(int*)"]);
        assert!(check(&artifact([true, true])).is_empty());
    }
}
