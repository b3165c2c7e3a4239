//! The findings about artifacts, at places that reports can show.
//!
//! In: what was read of artifacts. Out: findings, each at a line of the listing of its artifact. A listing is the text
//! that stands for a binary file: a line for the images, then one for each kernel and variable that something is said
//! of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::artifact::{Artifact, Read};
use crate::finding::{Defect, Finding, Label};
use crate::rules::{ARCH_BOUND, Built, card, check_artifact, check_list, of_fault};
use crate::source::{FileId, Sources, Span};
use crate::target::notation::read_conda;
use crate::target::{Arch, Fault, Image, ImageKind, Passes, TargetList, Toolkit, mismatch};

/// The findings in artifacts, by path and line, and the listings that they are in.
pub fn audit(read: &Read, sources: &Sources) -> (Vec<Finding>, Vec<FileId>) {
    let mut listings: BTreeMap<&Path, Listing> = BTreeMap::new();
    let packages: BTreeSet<&Path> = read.artifacts.iter().map(|one| one.package.as_path()).collect();
    for path in packages {
        let artifacts: Vec<&Artifact> = read.artifacts.iter().filter(|one| one.package == path).collect();
        let images = host_images(&artifacts);
        let bounds =
            read.bounds.iter().filter(|bound| bound.package == path).map(|bound| bound.text.as_str());
        let faults = faults(&images, &bounds.collect::<Vec<_>>());
        if !faults.is_empty() {
            let listing = listings.entry(path).or_default();
            listing.images = images;
            listing.faults = faults;
        }
    }
    for artifact in &read.artifacts {
        let found = check_artifact(artifact);
        if !found.is_empty() {
            let listing = listings.entry(&artifact.path).or_default();
            if listing.images.is_empty() {
                listing.images = host_images(&[artifact]);
            }
            listing.built.extend(found);
        }
    }
    let mut findings = Vec::new();
    let mut files = Vec::new();
    for (path, listing) in listings {
        let file = sources.add_listing(path, listing.text());
        findings.extend(listing.findings(file.id));
        files.push(file.id);
    }
    (findings, files)
}

/// The images of modules that host code comes with, by architecture. What a GPU can run of others is nobody's claim.
fn host_images(artifacts: &[&Artifact]) -> Vec<Image> {
    let with_host = artifacts.iter().filter(|artifact| artifact.registered.is_some());
    let modules =
        with_host.flat_map(|artifact| &artifact.modules).filter(|module| !module.kernels.is_empty());
    let images: BTreeSet<(Arch, ImageKind)> =
        modules.flat_map(|module| &module.images).map(|image| (image.arch, image.kind)).collect();
    images.into_iter().map(|(arch, kind)| Image { kind, arch }).collect()
}

/// The faults of the images as a list of targets, and of a package's bounds on the GPU.
fn faults(images: &[Image], bounds: &[&str]) -> Vec<(&'static str, Fault)> {
    let mut passes: Vec<Arch> = images.iter().map(|image| image.arch).collect();
    passes.dedup();
    let list = TargetList { passes, images: images.to_vec(), ..TargetList::default() };
    if list.images.is_empty() {
        return Vec::new();
    }
    // The release of nvcc that compiled them is not known.
    let mut faults = check_list(&list, None);
    let toolkit = latest(&list.passes);
    let recipe: String = bounds.iter().map(|bound| format!("- {bound}\n")).collect();
    for bound in &read_conda(&recipe).0 {
        let found = mismatch(&list, bound, toolkit).into_iter();
        faults.extend(found.map(|fault| (ARCH_BOUND, fault)));
    }
    faults
}

/// The latest release of nvcc that compiles for all of these: it knows the GPUs that bounds are about.
fn latest(passes: &[Arch]) -> Toolkit {
    let last = passes.iter().filter_map(|arch| arch.last_release()).min();
    last.and_then(|(major, minor)| Toolkit::release(major, minor)).unwrap_or_default()
}

/// The text that stands for a file, as far as something is said of it.
#[derive(Default)]
struct Listing {
    images: Vec<Image>,
    faults: Vec<(&'static str, Fault)>,
    built: Vec<Built>,
}

/// The first word of the line that lists a module's images.
const IMAGES: &str = "images ";

impl Listing {
    fn text(&self) -> String {
        let names: Vec<String> = self.images.iter().map(ToString::to_string).collect();
        let lines = self.lines().into_iter().map(|(what, entity)| format!("{what} {entity}\n"));
        format!("{IMAGES}{}\n{}", names.join(" "), lines.collect::<String>())
    }

    /// The kind and name of each entity that a finding speaks of, each once.
    fn lines(&self) -> BTreeSet<(&'static str, &str)> {
        self.built.iter().map(|one| (one.what, one.entity.as_str())).collect()
    }

    /// The findings at their lines.
    fn findings(&self, file: FileId) -> Vec<Finding> {
        let first = self.text().lines().next().map_or(0, str::len);
        let at = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
        let mut passes: Vec<Arch> = self.images.iter().map(|image| image.arch).collect();
        passes.dedup();
        let passes = Arc::new(Passes::new(&passes).unwrap_or_else(|_| none()));
        let of_list = |(rule, fault): &(&'static str, Fault)| {
            let level = card(rule).expect("every rule has a card").level;
            let images = at(IMAGES.len(), first);
            of_fault(rule, level, &passes, images, "the images are for these", fault.clone())
        };
        let mut findings: Vec<Finding> = self.faults.iter().map(of_list).collect();
        let mut starts = BTreeMap::new();
        let mut start = first + 1;
        for (what, entity) in self.lines() {
            starts.insert((what, entity), start + what.len() + 1);
            start += what.len() + entity.len() + 2;
        }
        let mut of_rules: Vec<Finding> = self
            .built
            .iter()
            .map(|one| {
                let start = starts[&(one.what, one.entity.as_str())];
                Finding {
                    rule: one.rule,
                    level: one.level,
                    certainty: one.certainty,
                    defect: Defect::Other,
                    message: one.message.clone(),
                    entity: one.entity.clone(),
                    passes: Arc::clone(&one.passes),
                    instances: Vec::new(),
                    primary: Label { at: at(start, start + named(&one.entity)), text: one.label.clone() },
                    related: Vec::new(),
                    views: one.views.clone(),
                    deciding: None,
                    consequences: one.consequences.clone(),
                    notes: one.notes.clone(),
                }
            })
            .collect();
        of_rules.sort_by_key(|finding| (finding.primary.at.start, finding.rule));
        findings.append(&mut of_rules);
        findings
    }
}

/// The bytes of a name that a label stands under: of one that fills screens, its beginning.
fn named(name: &str) -> usize {
    const LONGEST: usize = 60;
    name.char_indices().nth(LONGEST).map_or(name.len(), |(at, _)| at)
}

fn none() -> Passes {
    Passes::new(&[]).expect("no target is not too many")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_about_the_gpus_of_the_release_that_compiled() {
        let images = |numbers: &[u16]| -> Vec<Image> {
            numbers.iter().map(|number| Image { kind: ImageKind::Elf, arch: Arch::plain(*number) }).collect()
        };
        let found = |numbers: &[u16], bound: &str| -> Vec<String> {
            let faults = faults(&images(numbers), &[bound]).into_iter();
            let of_bounds = faults.filter(|(rule, _)| *rule == ARCH_BOUND);
            of_bounds.map(|(_, fault)| fault.message).collect()
        };
        let told = "`__cuda_arch >=5.0` lets the package be installed where nothing in it runs: 5.0, 5.2";
        assert_eq!(found(&[60, 70, 80, 90, 100, 120], "__cuda_arch >=5.0"), [told]);
        assert!(found(&[50, 60, 70, 80, 90, 100, 120], "__cuda_arch >=5.0").is_empty());
        // No release that compiles for 7.5 and not for older GPUs has any of them.
        assert!(found(&[75, 80, 90, 100, 120], "__cuda_arch >=5.0").is_empty());
    }
}
