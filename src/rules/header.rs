//! `arch-dependent-header`: objects of one program have different copies of a header's function, or
//! share a kernel's host stub without having the same device code.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::facts::{HeaderFact, TextDigest};
use crate::finding::{Certainty, Deciding, Defect, Finding, Label, Level};
use crate::source::Span;
use crate::target::{Arch, Pass, PassSet, Passes};

use super::evidence::{deciding, short, views};
use super::rule::{Check, Rule};
use super::unit::Summary;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/arch-dependent-header.md"), check: Check::Program(check) };

const ID: &str = "arch-dependent-header";

const NOTE: &str = "The CUDA C++ Programming Guide, restriction 4 on `__CUDA_ARCH__`: in separate compilation, \
     headers must not use it so that objects have different behaviour, unless all objects are compiled for the same \
     architectures.";

const STUB_NOTE: &str = "nvcc before 13.0, and later ones with `-static-global-template-stub=false`, give the host \
     stubs of kernel templates weak linkage in whole-program compilation.";

/// A unit and its copy of a header's entity.
type Copied<'u> = (&'u Summary, &'u HeaderFact);

fn check(summaries: &[&Summary]) -> Vec<Finding> {
    let mut copies: BTreeMap<(bool, Span, &str), Vec<Copied<'_>>> = BTreeMap::new();
    for &summary in summaries {
        for fact in summary.header_entities.iter().filter(|fact| fact.used.is_some()) {
            copies.entry((fact.stub, fact.at, &fact.name)).or_default().push((summary, fact));
        }
    }
    let found = copies.into_iter().filter_map(|((stub, ..), copies)| match stub {
        true => stub_clash(&copies),
        false => clash(&copies),
    });
    found.collect()
}

/// The first two units of one program with one host stub and device code for different GPUs.
fn stub_clash(copies: &[Copied<'_>]) -> Option<Finding> {
    let targets = |summary: &Summary| {
        let mut archs = summary.passes.archs(summary.passes.devices());
        archs.sort();
        archs
    };
    let differs = |left: &Copied<'_>, right: &Copied<'_>| {
        left.0.may_be_linked_with(right.0) && targets(left.0) != targets(right.0)
    };
    copies.iter().enumerate().find_map(|(number, left)| {
        let right = copies[number + 1..].iter().find(|right| differs(left, right))?;
        Some(stub_finding(left, right))
    })
}

fn stub_finding(left: &Copied<'_>, right: &Copied<'_>) -> Finding {
    let fact = left.1;
    let name = short(&fact.name);
    let both = Both::new(left.0, right.0);
    let of = |copy: &Copied<'_>| {
        let devices = both.renumbered(copy.0, copy.0.passes.devices());
        (devices, file_name(&copy.0.unit))
    };
    let ((left_devices, left_unit), (right_devices, right_unit)) = (of(left), of(right));
    let related = [left, right].into_iter().filter_map(|(summary, fact)| {
        let text = format!("launched by {}", file_name(&summary.unit));
        fact.used.map(|at| Label { at, text })
    });
    let lines = [(left_devices, &left_unit), (right_devices, &right_unit)];
    Finding {
        rule: ID,
        level: Level::Warning,
        // Whether both units instantiate it with the same arguments is not known.
        certainty: Certainty::Likely,
        defect: Defect::Other,
        message: format!(
            "{left_unit} ({}) and {right_unit} ({}) share the host stub of kernel template `{name}`",
            both.passes.describe(left_devices),
            both.passes.describe(right_devices)
        ),
        entity: fact.name.clone(),
        primary: Label { at: fact.at, text: "one host function for the kernels of several objects".into() },
        related: related.collect(),
        views: views(lines.into_iter().map(|(set, unit)| (set, format!("compiled with {unit}")))),
        deciding: None,
        consequences: vec![
            "Each object registers its own device code under that function; a launch from either finds the code \
             of one of them, which may have none for the GPU at hand."
                .into(),
        ],
        notes: vec![STUB_NOTE.to_string()],
        passes: both.passes,
    }
}

/// The first two units of one program whose objects give some GPU different text.
fn clash(copies: &[Copied<'_>]) -> Option<Finding> {
    for (number, left) in copies.iter().enumerate() {
        for right in &copies[number + 1..] {
            if left.0.may_be_linked_with(right.0)
                && let Some(arch) = disagreement(left, right)
            {
                return Some(finding(left, right, arch));
            }
        }
    }
    None
}

/// The lowest GPU for which the two objects would use different text: each object serves a GPU with
/// the highest of its targets that is not above it.
fn disagreement(left: &Copied<'_>, right: &Copied<'_>) -> Option<Arch> {
    let mut archs: Vec<Arch> = [left, right]
        .iter()
        .flat_map(|(summary, _)| summary.passes.archs(summary.passes.devices()))
        .collect();
    archs.sort();
    archs.dedup();
    archs.into_iter().find(|arch| match (text_for(left, *arch), text_for(right, *arch)) {
        (Some((_, a)), Some((_, b))) => a != b,
        _ => false,
    })
}

/// The target an object serves a GPU with, and the text it sees, if it has any there.
fn text_for(copy: &Copied<'_>, gpu: Arch) -> Option<(Arch, Option<TextDigest>)> {
    let (summary, fact) = copy;
    let best = summary
        .passes
        .archs(summary.passes.devices())
        .into_iter()
        .filter(|arch| arch.number <= gpu.number && (arch.suffix == Default::default() || *arch == gpu))
        .max()?;
    let index = summary.passes.list().iter().position(|pass| *pass == Pass::Device(best))?;
    let text = fact.texts.iter().find(|(passes, _)| passes.has(index)).map(|(_, text)| *text);
    Some((best, text))
}

fn finding(left: &Copied<'_>, right: &Copied<'_>, gpu: Arch) -> Finding {
    let fact = left.1;
    let name = short(&fact.name);
    let both = Both::new(left.0, right.0);
    let side = |copy: &Copied<'_>| {
        let target = text_for(copy, gpu).map_or(gpu, |(target, _)| target);
        (file_name(&copy.0.unit), target)
    };
    let ((left_unit, left_target), (right_unit, right_target)) = (side(left), side(right));
    let sees =
        |unit: &str, target: Arch| (both.only(target), format!("the text that {unit} is compiled with"));
    let related = [left, right].into_iter().filter_map(|(summary, fact)| {
        let text = format!("used by {}", file_name(&summary.unit));
        fact.used.map(|at| Label { at, text })
    });
    Finding {
        rule: ID,
        level: Level::Warning,
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message: format!(
            "{} `{name}` is one thing in {left_unit} ({}) and another in {right_unit} ({})",
            fact.what,
            left_target.compute_name(),
            right_target.compute_name()
        ),
        entity: fact.name.clone(),
        primary: Label {
            at: fact.at,
            text: "its text depends on the architecture it is compiled for".into(),
        },
        related: related.collect(),
        views: views([sees(&left_unit, left_target), sees(&right_unit, right_target)].into_iter()),
        deciding: both.deciding(left, right),
        consequences: vec![format!(
            "Linked for {}, the program keeps one of the two copies, and both objects call that one.",
            gpu.sm_name()
        )],
        notes: vec![NOTE.to_string()],
        passes: both.passes,
    }
}

/// The passes of two units under one numbering.
struct Both {
    passes: Arc<Passes>,
}

impl Both {
    fn new(left: &Summary, right: &Summary) -> Both {
        let mut archs = left.passes.archs(left.passes.devices());
        for arch in right.passes.archs(right.passes.devices()) {
            if !archs.contains(&arch) {
                archs.push(arch);
            }
        }
        // Two full units can have more passes than a set holds; the first ones are named then.
        archs.truncate(63);
        Both { passes: Arc::new(Passes::new(&archs).expect("63 targets at most")) }
    }

    fn only(&self, arch: Arch) -> PassSet {
        self.passes
            .list()
            .iter()
            .position(|pass| *pass == Pass::Device(arch))
            .map_or(PassSet::EMPTY, PassSet::single)
    }

    /// A unit's set in the common numbering.
    fn renumbered(&self, unit: &Summary, set: PassSet) -> PassSet {
        let archs = unit.passes.archs(set);
        let host = set.and(PassSet::HOST);
        archs.into_iter().fold(host, |all, arch| all.or(self.only(arch)))
    }

    /// The conditional behind the clash, as both units saw it.
    fn deciding(&self, left: &Copied<'_>, right: &Copied<'_>) -> Option<Deciding> {
        let mut decided: Option<Deciding> = None;
        for (summary, fact) in [left, right] {
            let Some(mut one) = deciding(fact.cause.as_ref()) else { continue };
            for step in &mut one.derivation {
                step.passes = self.renumbered(summary, step.passes);
            }
            match &mut decided {
                None => decided = Some(one),
                Some(known) => {
                    for step in &mut known.derivation {
                        let same = one
                            .derivation
                            .iter()
                            .find(|other| other.at == step.at && other.text == step.text);
                        step.passes = step.passes.or(same.map_or(PassSet::EMPTY, |other| other.passes));
                    }
                }
            }
        }
        decided
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
