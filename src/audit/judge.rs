//! What was built as a judge of findings about the sources.
//!
//! In: findings about sources, the artifacts that were built from them, and the findings about those. Out: for each of the
//! former a [`Proof`]. A denial needs the very kernel or variable in every image that the finding speaks of: whatever an
//! artifact can't show stays open.

use crate::artifact::{Artifact, Module, readable};
use crate::finding::{Finding, Proof, Reported, Verdict};
use crate::rules::{DEFINITION, INSTANTIATION, LAYOUT, SIGNATURE};
use crate::source::Sources;
use crate::target::{ImageKind, Pass, PassSet};

use super::entity::{Fit, Name, fit, pass_of};
use super::explain::is_proof;

/// Says of each finding whether what was built proves it, denies it, does not have it, or leaves it open. `built` are the
/// findings about the artifacts.
pub fn judge(findings: &mut [Reported], artifacts: &[Artifact], built: &[Finding], sources: &Sources) {
    for one in findings {
        let proof = proof(&one.finding, artifacts, built, sources);
        one.finding.notes.insert(0, proof.reason.clone());
        one.proof = Some(proof);
    }
}

fn proof(finding: &Finding, artifacts: &[Artifact], built: &[Finding], sources: &Sources) -> Proof {
    // The rules on lists of targets are asked about the images too.
    if let Some(proving) = built.iter().find(|one| is_proof(finding, one) || one.rule == finding.rule) {
        let path = sources.file(proving.primary.at.file).path.clone();
        let reason = format!("What was built proves it: {} in {}.", proving.message, path.display());
        return Proof { verdict: Verdict::Proved, reason };
    }
    if ![DEFINITION, INSTANTIATION, SIGNATURE, LAYOUT].contains(&finding.rule) {
        let reason =
            "What was built can't tell: it shows kernels, variables and targets, and this is none of them.";
        return Proof { verdict: Verdict::Open, reason: reason.into() };
    }
    let seen: Vec<Seen> = artifacts.iter().flat_map(|artifact| of_artifact(finding, artifact)).collect();
    match seen.iter().find(|one| one.verdict == Verdict::Open).or(seen.first()) {
        None => Proof {
            verdict: Verdict::Absent,
            reason: format!(
                "What was built does not have it: no kernel or variable has the name `{}`.",
                finding.entity
            ),
        },
        Some(Seen { verdict, reason: why, artifact }) => {
            let path = artifact.path.display();
            let begin = if *verdict == Verdict::Denied { "denies it" } else { "can't tell" };
            Proof { verdict: *verdict, reason: format!("What was built {begin}: in {path} {why}.") }
        }
    }
}

/// What one module says of a finding that nothing proves.
struct Seen<'a> {
    verdict: Verdict,
    /// A clause.
    reason: String,
    artifact: &'a Artifact,
}

fn of_artifact<'a>(finding: &Finding, artifact: &'a Artifact) -> Vec<Seen<'a>> {
    let mut seen = Vec::new();
    for module in &artifact.modules {
        let kernels = module.kernels.iter().map(|(symbol, row)| (symbol, has(row)));
        let variables = module.variables.iter().map(|(symbol, row)| (symbol, has(row)));
        for (symbol, has) in kernels.chain(variables) {
            if let Some(fit) = fit(finding, &readable(symbol)) {
                let (verdict, reason) = of_entity(finding, artifact, module, &Entity { symbol, has, fit });
                seen.push(Seen { verdict, reason, artifact });
            }
        }
    }
    // A kernel of the same template with other arguments says nothing of this one.
    if seen.iter().any(|one| one.verdict == Verdict::Denied) && finding.rule == INSTANTIATION {
        seen.retain(|one| one.verdict == Verdict::Denied);
    }
    seen
}

fn has<T>(row: &[Option<T>]) -> Vec<bool> {
    row.iter().map(Option::is_some).collect()
}

/// A kernel or variable of a module.
struct Entity<'a> {
    symbol: &'a str,
    /// Whether each image has it.
    has: Vec<bool>,
    fit: Fit,
}

/// What a kernel or variable without a finding says of one about the sources.
fn of_entity(
    finding: &Finding,
    artifact: &Artifact,
    module: &Module,
    entity: &Entity<'_>,
) -> (Verdict, String) {
    let open = |reason: &str| (Verdict::Open, reason.to_string());
    let name = Name::of(&readable(entity.symbol));
    let concerned = finding.views.iter().fold(PassSet::EMPTY, |all, view| all.or(view.passes));
    let devices = concerned.and(finding.passes.devices());
    let image_of = |pass: usize| {
        let images = module.images.iter().enumerate();
        let mut images = images.filter(|(_, image)| image.read && image.kind != ImageKind::Lto);
        images.find(|(_, image)| pass_of(&finding.passes, Pass::Device(image.arch)) == Some(pass))
    };
    let lacking = devices.iter().filter(|pass| image_of(*pass).is_none());
    let lacking = lacking.fold(PassSet::EMPTY, |all, pass| all.or(PassSet::single(pass)));
    if !lacking.is_empty() {
        return open(&format!("the module has no image for {}", finding.passes.describe(lacking)));
    }
    if devices.iter().any(|pass| image_of(pass).is_none_or(|(index, _)| !entity.has[index])) {
        return open(&format!(
            "not every image has `{}`, which is not the difference that was found",
            entity.symbol
        ));
    }
    if concerned.has(0) && !artifact.registered.as_ref().is_some_and(|names| names.contains(entity.symbol)) {
        return open(&format!("the host does not register `{}`", entity.symbol));
    }
    // Groups of targets that see different things.
    let groups = finding.views.iter().filter(|view| view.passes.meets(finding.passes.devices())).count();
    match finding.rule {
        LAYOUT => {
            open("parameters have the same sizes in every image; what a pointer points to is not in it")
        }
        INSTANTIATION if entity.fit == Fit::Instead => open(
            "the images have what the finding names in place of the host's, and nothing tells what the host has",
        ),
        INSTANTIATION if entity.fit == Fit::Related => {
            open("the images have instantiations of the template, and none is spelled as the finding has it")
        }
        SIGNATURE if !entity.symbol.starts_with("_Z") => {
            open("its name has no types in it, and the sizes agree")
        }
        SIGNATURE if name.is_instance() => open("the name has the types as the template spells them"),
        // A stub that spells a device pass's types says nothing of the host's.
        SIGNATURE if groups < 2 => open("the host's types are not in it"),
        DEFINITION if groups < 2 => open("an overload of the name may be what it has"),
        _ => {
            let all = finding.passes.describe(devices);
            let reason =
                format!("the code for {all} has `{}`, and the host registers it", readable(entity.symbol));
            (Verdict::Denied, reason)
        }
    }
}
