//! `mismatched-parameters`: images disagree about the parameters of a kernel.

use std::collections::BTreeSet;

use crate::artifact::{Artifact, Module, Parameter, parameters, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::{ImageKind, PassSet};

use super::evidence::{Registered, merged, registered, short};
use super::gpus::Gpus;

pub(in crate::rules) const RULE: Rule = Rule {
    id: ID,
    card: include_str!("../../../rules/mismatched-parameters.md"),
    check: Check::Artifact(check),
};

const ID: &str = "mismatched-parameters";

fn check(artifact: &Artifact) -> Vec<Built> {
    let found = artifact.modules.iter().flat_map(|module| {
        let gpus = Gpus::of(module);
        let of_module = |gpus| {
            let names = module.kernels.keys().filter(|name| registered(artifact, name) != Registered::No);
            names.filter_map(|name| mismatched(module, &gpus, name)).collect::<Vec<_>>()
        };
        gpus.map(of_module).unwrap_or_default()
    });
    let mut found: Vec<Built> = found.collect();
    // A kernel with C linkage has one name: what its images disagree about, the host and some image do.
    let known: BTreeSet<String> = found.iter().map(|one| one.entity.clone()).collect();
    let of_host = of_host(artifact).into_iter();
    found.extend(of_host.filter(|one| {
        let name = one.entity.strip_suffix(parameters(&one.entity));
        !known.contains(name.unwrap_or(&one.entity))
    }));
    merged(found)
}

/// Kernels that the host gives parameters of other types than their names say, which a device pass made.
fn of_host(artifact: &Artifact) -> Vec<Built> {
    let module = artifact.modules.iter().find_map(Gpus::of);
    let Some(Gpus { passes, .. }) = module else { return Vec::new() };
    let one = |(kernel, host): (&String, &String)| {
        let entity = readable(kernel);
        let device = parameters(&entity);
        (comparable(&entity) && !same_types(host, device)).then(|| Built {
            rule: ID,
            level: Level::Error,
            certainty: Certainty::Definite,
            message: format!(
                "`{}` takes `{host}` on the host and `{device}` in the code that is registered",
                short(kernel)
            ),
            entity: entity.clone(),
            what: "kernel",
            label: format!("the host's stub takes `{host}`"),
            passes: passes.clone(),
            views: vec![
                View { passes: PassSet::HOST, sees: host.clone() },
                View { passes: passes.devices(), sees: format!("registered with {device}") },
            ],
            consequences: vec![
                "A launch passes what the host's types are, and the kernel reads what the registered ones are.".into(),
            ],
            notes: Vec::new(),
        })
    };
    artifact.stubs.parameters.iter().filter_map(one).collect()
}

/// The types of a name are those of one pass. A template's name spells them as the template does, with what is to be
/// put in; and the names of extended lambdas are NVIDIA's own.
fn comparable(readable: &str) -> bool {
    !readable.starts_with("void ") && !readable.starts_with("_Z") && !parameters(readable).is_empty()
}

/// A stub may take a reference to what the kernel takes by value.
fn same_types(host: &str, device: &str) -> bool {
    let split = |types: &str| {
        let inner = types.strip_prefix('(').and_then(|types| types.strip_suffix(')')).unwrap_or(types);
        let mut depth = 0_i32;
        let parts = inner.split(|c| {
            depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
            c == ',' && depth == 0
        });
        parts.map(|part| part.trim().to_string()).collect::<Vec<_>>()
    };
    let (host, device) = (split(host), split(device));
    host.len() == device.len()
        && host.iter().zip(&device).all(|(host, device)| {
            let value = host.strip_suffix('&').unwrap_or(host);
            host == device || value == device || value.strip_suffix(" const") == Some(device.as_str())
        })
}

fn mismatched(module: &Module, gpus: &Gpus, name: &str) -> Option<Built> {
    let row = &module.kernels[name];
    let mut classes: Vec<(&[Parameter], PassSet)> = Vec::new();
    for (pass, images) in gpus.images() {
        // Where both forms are there, the machine code counts here; the PTX is compared with it elsewhere.
        let parameters = |index: &usize| row[*index].as_ref()?.parameters.as_deref();
        let code = images.iter().find(|index| module.images[**index].kind == ImageKind::Elf);
        let Some(parameters) = code.or(images.first()).and_then(parameters) else { continue };
        match classes.iter_mut().find(|(known, _)| alike(known, parameters)) {
            Some((_, set)) => *set = set.or(PassSet::single(pass)),
            None => classes.push((parameters, PassSet::single(pass))),
        }
    }
    let [(first, first_set), (second, second_set), ..] = classes.as_slice() else { return None };
    let views =
        classes.iter().map(|(parameters, passes)| View { passes: *passes, sees: describe(parameters) });
    Some(Built {
        rule: ID,
        level: Level::Error,
        certainty: Certainty::Definite,
        message: format!(
            "`{}` takes {} on {} and {} on {}",
            short(name),
            describe(first),
            gpus.passes.describe(*first_set),
            describe(second),
            gpus.passes.describe(*second_set)
        ),
        entity: readable(name),
        what: "kernel",
        label: "its parameters differ between images".into(),
        passes: gpus.passes.clone(),
        views: views.collect(),
        consequences: vec![
            "The host lays arguments out once; where the kernel's parameters are laid out otherwise, it reads other \
             bytes."
                .into(),
        ],
        notes: Vec::new(),
    })
}

/// Two images lay the parameters out in one way. The parameters begin at another address on each architecture, so one
/// that is aligned to more than 16 bytes has another offset there: what stands before it is then wider in one of them.
pub(super) fn alike(one: &[Parameter], other: &[Parameter]) -> bool {
    let sizes = one.iter().map(|parameter| parameter.size).eq(other.iter().map(|parameter| parameter.size));
    sizes && (one == other || widest_gap(one).max(widest_gap(other)) >= BASE_ALIGNMENT)
}

/// Alignment of the parameters' address on every architecture, in bytes.
const BASE_ALIGNMENT: u32 = 16;

/// The most bytes between a parameter and what stands before it.
fn widest_gap(parameters: &[Parameter]) -> u32 {
    let ends = parameters.iter().map(|parameter| parameter.offset.saturating_add(parameter.size));
    let before = std::iter::once(0).chain(ends);
    before.zip(parameters).map(|(end, next)| next.offset.saturating_sub(end)).max().unwrap_or(0)
}

/// `parameters of 4 and 8 bytes at 0 and 8`.
pub(super) fn describe(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return "no parameters".into();
    }
    let joined = |number: fn(&Parameter) -> u32| {
        super::evidence::listed(&parameters.iter().map(|one| number(one).to_string()).collect::<Vec<_>>())
    };
    let noun = if parameters.len() == 1 { "a parameter" } else { "parameters" };
    format!("{noun} of {} bytes at {}", joined(|one| one.size), joined(|one| one.offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(places: &[(u32, u32)]) -> Vec<Parameter> {
        places.iter().map(|(offset, size)| Parameter { offset: *offset, size: *size }).collect()
    }

    #[test]
    fn what_is_aligned_to_much_has_another_offset_on_each_architecture() {
        let same = |one: &[(u32, u32)], other: &[(u32, u32)]| alike(&at(one), &at(other));
        assert!(same(&[(32, 128), (160, 8)], &[(48, 128), (176, 8)]));
        assert!(same(&[(0, 128), (128, 8)], &[(48, 128), (176, 8)]));
        assert!(!same(&[(0, 4), (8, 8)], &[(0, 8), (8, 8)]));
        assert!(!same(&[(0, 4), (4, 4)], &[(0, 4), (8, 4)]));
        assert!(!same(&[(0, 4)], &[(0, 4), (4, 4)]));
    }

    #[test]
    fn a_stub_may_take_references() {
        assert!(same_types("(int*, P&, M const&)", "(int*, P, M)") && same_types("()", "()"));
        assert!(!same_types("(int, int*)", "(double, int*)") && !same_types("(A<int, 1>)", "(A<int, 2>)"));
    }
}
