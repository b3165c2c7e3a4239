//! The features that a unit's code needs of targets with a suffix, such as `sm_90a`.

use std::sync::Arc;

use crate::facts::UnitFacts;
use crate::preprocess::{Common, Preprocessed, preprocess};
use crate::project::TranslationUnit;
use crate::rules::{Need, SuffixUse};
use crate::source::{FileId, Sources};
use crate::target::{Arch, Pass, Passes, Suffix};

/// The uses that a unit makes of targets with a suffix, and in `also_read` the files that the question took; none for a unit whose build names no targets, since only such
/// a list is reported on.
pub(super) fn suffixes(
    unit: &TranslationUnit,
    preprocessed: &Preprocessed,
    facts: &UnitFacts,
    sources: &Sources,
    common: &Arc<Common>,
    also_read: &mut Vec<FileId>,
) -> SuffixUse {
    if unit.stated.is_none() {
        return SuffixUse::default();
    }
    let mut found = SuffixUse::default();
    for condition in &facts.conditions {
        let numbers = condition.macros.iter().filter_map(|name| {
            name.strip_prefix("__CUDA_ARCH_FEAT_SM")?.strip_suffix("_ALL")?.parse::<u16>().ok()
        });
        for number in numbers {
            if !found.asked.iter().any(|(known, _)| *known == number) {
                found.asked.push((number, condition.at));
            }
        }
    }
    for pass in unit.passes.list() {
        if let Pass::Device(arch) = pass
            && arch.suffix != Suffix::None
        {
            found.needs.push((*arch, need(unit, preprocessed, facts, sources, common, *arch, also_read)));
        }
    }
    found
}

/// The least target that the code of the pass for a target with a suffix needs, by what its instructions require and by
/// the tokens that passes for other targets would see.
fn need(
    unit: &TranslationUnit,
    preprocessed: &Preprocessed,
    facts: &UnitFacts,
    sources: &Sources,
    common: &Arc<Common>,
    arch: Arch,
    also_read: &mut Vec<FileId>,
) -> Need {
    // A header that is not there may ask for anything.
    if !preprocessed.missing.is_empty() {
        return Need::Chip;
    }
    let of = |suffix: Suffix| Arch { suffix, ..arch };
    let has_family = Arch::known().any(|known| known == of(Suffix::F));
    let lower = |suffix: Suffix| match suffix {
        Suffix::F => has_family && arch.suffix == Suffix::A,
        _ => true,
    };
    let mut enough = |suffix: Suffix| {
        lower(suffix)
            && facts.used.iter().filter(|used| used.on(arch)).all(|used| used.on(of(suffix)))
            && same_tokens(unit, sources, common, arch, of(suffix), also_read)
    };
    match (enough(Suffix::None), arch.suffix) {
        (true, _) => Need::Baseline,
        (false, Suffix::A) if !enough(Suffix::F) => Need::Chip,
        (false, _) => Need::Family,
    }
}

/// Passes for the two targets would see the same tokens.
fn same_tokens(
    unit: &TranslationUnit,
    sources: &Sources,
    common: &Arc<Common>,
    left: Arch,
    right: Arch,
    also_read: &mut Vec<FileId>,
) -> bool {
    let Ok(passes) = Passes::new(&[left, right]) else { return false };
    let both = passes.devices();
    let preprocessed = preprocess(&TranslationUnit { passes, ..unit.clone() }, sources, common);
    also_read.extend(&preprocessed.files);
    preprocessed.tokens().iter().all(|token| !token.passes.meets(both) || token.passes.contains(both))
}
