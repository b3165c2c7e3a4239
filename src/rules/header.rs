//! `arch-dependent-header`: objects of one program have different copies of a header's function.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::facts::HeaderFact;
use crate::finding::{Certainty, Finding, Label, Level};
use crate::source::Span;
use crate::target::Arch;

use super::Summary;
use super::evidence::{deciding, short, views};

pub(super) const ID: &str = "arch-dependent-header";

const NOTE: &str = "The CUDA C++ Programming Guide, restriction 4 on `__CUDA_ARCH__`: in separate compilation, \
     headers must not use it so that objects have different behaviour, unless all objects are compiled for the same \
     architectures.";

pub(super) fn check(summaries: &[Summary]) -> Vec<Finding> {
    let mut copies: BTreeMap<(Span, &str), Vec<(&Summary, &HeaderFact)>> = BTreeMap::new();
    for summary in summaries.iter().filter(|summary| summary.rdc) {
        for fact in summary.header_entities.iter().filter(|fact| fact.used.is_some()) {
            copies.entry((fact.at, &fact.name)).or_default().push((summary, fact));
        }
    }
    copies.into_values().filter_map(|copies| clash(&copies)).collect()
}

/// The first two units whose objects give some GPU different text.
fn clash(copies: &[(&Summary, &HeaderFact)]) -> Option<Finding> {
    for (number, left) in copies.iter().enumerate() {
        for right in &copies[number + 1..] {
            if let Some(arch) = disagreement(left, right) {
                return Some(finding(left, right, arch));
            }
        }
    }
    None
}

/// The lowest GPU for which the two objects would use different text: each object serves a GPU with
/// the highest of its targets that is not above it.
fn disagreement(left: &(&Summary, &HeaderFact), right: &(&Summary, &HeaderFact)) -> Option<Arch> {
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

/// The target an object serves a GPU with, and the fingerprint of the text it sees.
fn text_for(copy: &(&Summary, &HeaderFact), gpu: Arch) -> Option<(Arch, u64)> {
    let (summary, fact) = copy;
    let best = summary
        .passes
        .archs(summary.passes.devices())
        .into_iter()
        .filter(|arch| arch.number <= gpu.number && (arch.suffix == Default::default() || *arch == gpu))
        .max()?;
    let index = summary.passes.list().iter().position(|pass| *pass == crate::target::Pass::Device(best))?;
    let text = fact.texts.iter().find(|(passes, _)| passes.has(index)).map_or(0, |(_, text)| *text);
    Some((best, text))
}

fn finding(left: &(&Summary, &HeaderFact), right: &(&Summary, &HeaderFact), gpu: Arch) -> Finding {
    let (summary, fact) = left;
    let name = short(&fact.name);
    let side = |copy: &(&Summary, &HeaderFact)| {
        let target = text_for(copy, gpu).map_or(gpu, |(target, _)| target);
        (file_name(&copy.0.unit), target.compute_name())
    };
    let ((left_unit, left_target), (right_unit, right_target)) = (side(left), side(right));
    let related = [left, right].into_iter().filter_map(|(summary, fact)| {
        let text = format!("used by {}", file_name(&summary.unit));
        fact.used.map(|at| Label { at, text })
    });
    let cause = [left, right].into_iter().find_map(|(_, fact)| fact.cause.as_ref());
    let texts = fact.texts.iter().enumerate();
    Finding {
        rule: ID,
        level: Level::Warning,
        certainty: Certainty::Definite,
        message: format!(
            "{} `{name}` is one thing in {left_unit} ({left_target}) and another in {right_unit} ({right_target})",
            fact.what
        ),
        entity: fact.name.clone(),
        passes: Arc::clone(&summary.passes),
        primary: Label {
            at: fact.at,
            text: "its text depends on the architecture it is compiled for".into(),
        },
        related: related.collect(),
        views: views(
            texts.map(|(number, (passes, _))| (*passes, format!("text {} in {left_unit}", number + 1))),
        ),
        deciding: deciding(cause),
        consequences: vec![format!(
            "Linked for {}, the program keeps one of the two copies, and both objects call that one.",
            gpu.sm_name()
        )],
        notes: vec![NOTE.to_string()],
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
