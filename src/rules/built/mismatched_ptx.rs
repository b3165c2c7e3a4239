//! `mismatched-ptx`: the machine code and the PTX for one architecture disagree.

use std::sync::Arc;

use crate::artifact::{Artifact, Kernel, Module, Table, Variable, VariableKind, readable};
use crate::finding::{Certainty, Level, View};
use crate::rules::rule::{Check, Rule};
use crate::rules::unplaced::Built;
use crate::target::{Arch, ImageKind, PassSet, Passes};

use super::evidence::{Registered, listed, merged, registered, short};
use super::gpus::Gpus;
use super::mismatched_parameters::{alike, describe};
use super::mismatched_variable;

pub(in crate::rules) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../../rules/mismatched-ptx.md"), check: Check::Artifact(check) };

const ID: &str = "mismatched-ptx";

fn check(artifact: &Artifact) -> Vec<Built> {
    merged(artifact.modules.iter().flat_map(|module| of_module(artifact, module)).collect())
}

fn of_module(artifact: &Artifact, module: &Module) -> Vec<Built> {
    let Some(gpus) = Gpus::of(module) else { return Vec::new() };
    let mut found = Vec::new();
    for (pass, images) in gpus.images() {
        let kind = |kind: ImageKind| images.iter().copied().find(|index| module.images[*index].kind == kind);
        let (Some(elf), Some(ptx)) = (kind(ImageKind::Elf), kind(ImageKind::Ptx)) else { continue };
        let pair = Pair { artifact, gpus: &gpus, arch: module.images[elf].arch, pass, elf, ptx };
        found.extend(pair.kernels(&module.kernels));
        found.extend(pair.variables(&module.variables));
    }
    found
}

/// The two forms of the code for an architecture.
struct Pair<'m> {
    artifact: &'m Artifact,
    gpus: &'m Gpus,
    arch: Arch,
    pass: usize,
    elf: usize,
    ptx: usize,
}

impl Pair<'_> {
    fn kernels(&self, table: &Table<Kernel>) -> Vec<Built> {
        let one = |(name, row): (&Arc<str>, &Vec<Option<Kernel>>)| {
            let sides = [self.elf, self.ptx].map(|index| row[index].as_ref());
            let differ = match sides.map(|side| Some(side?.parameters.as_deref())) {
                [None, None] => false,
                [Some(Some(elf)), Some(Some(ptx))] => !alike(elf, ptx),
                // Of parameters that one form does not state, nothing can be told.
                [Some(_), Some(_)] => false,
                [None, Some(_)] | [Some(_), None] => true,
            };
            let sides = sides.map(|side| match side.map(|kernel| kernel.parameters.as_deref()) {
                None => "missing".to_string(),
                Some(parameters) => describe(parameters.unwrap_or_default()),
            });
            let wanted = registered(self.artifact, name) != Registered::No;
            (wanted && differ).then(|| self.finding("kernel", name, &sides))
        };
        table.iter().filter_map(one).collect()
    }

    fn variables(&self, table: &Table<Variable>) -> Vec<Built> {
        let one = |(name, row): (&Arc<str>, &Vec<Option<Variable>>)| {
            let sides = [self.elf, self.ptx].map(|index| row[index]);
            let wanted = registered(self.artifact, name) == Registered::Yes;
            let told = sides.map(mismatched_variable::describe);
            // ptxas leaves out the textures that no kernel uses.
            let differ = match sides {
                [None, Some(ptx)] => ptx.kind != VariableKind::Texture,
                [elf, ptx] => elf != ptx,
            };
            (wanted && differ).then(|| self.finding("variable", name, &told))
        };
        table.iter().filter_map(one).collect()
    }

    fn finding(&self, what: &'static str, name: &str, [elf, ptx]: &[String; 2]) -> Built {
        let concerned = self.gpus.that_run(|index| index == self.ptx);
        let who = match concerned.as_slice() {
            [] => "No GPU that is known runs this PTX; later ones may.".to_string(),
            some => {
                format!("GPUs of compute capability {} run what the driver makes of the PTX.", listed(some))
            }
        };
        let passes: &Passes = &self.gpus.passes;
        let both = format!("machine code: {elf}; PTX: {ptx}");
        Built {
            rule: ID,
            level: Level::Error,
            certainty: Certainty::Definite,
            message: format!(
                "`{}` differs between the machine code for {} and its PTX: {elf}, and {ptx}",
                short(name),
                self.arch.sm_name()
            ),
            entity: readable(name),
            what,
            label: format!(
                "{} differs from compute_{}",
                passes.describe(PassSet::single(self.pass)),
                self.arch
            ),
            passes: self.gpus.passes.clone(),
            views: vec![View { passes: PassSet::single(self.pass), sees: both }],
            consequences: vec![who],
            notes: Vec::new(),
        }
    }
}
