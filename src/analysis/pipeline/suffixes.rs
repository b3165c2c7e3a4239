//! The features that a unit's code needs of targets with a suffix, such as `sm_90a`.

use std::sync::Arc;

use crate::facts::UnitFacts;
use crate::preprocess::{Common, Preprocessed, preprocess};
use crate::project::{TargetOrigin, TranslationUnit};
use crate::rules::{Need, SuffixUse};
use crate::source::{FileId, Sources};
use crate::target::{Arch, Pass, Passes, Suffix, intrinsics};

use super::conditionals::left_to_macros;

/// The uses that a unit makes of targets with a suffix, and in `also_read` the files that the question took; none for a unit
/// whose build names no targets, since only such a list is reported on.
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
    // A header that is not there may ask for anything, and so may what macros of the build would open.
    if !preprocessed.missing.is_empty() || may_open_more(unit, preprocessed, sources, arch) {
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

/// Whether macros that only the build's commands define may have the pass for a target read an instruction that it skips here,
/// or a header. A compilation database has the commands; what is known of other builds is their targets.
fn may_open_more(unit: &TranslationUnit, preprocessed: &Preprocessed, sources: &Sources, arch: Arch) -> bool {
    if matches!(unit.origin, TargetOrigin::Database(_)) {
        return false;
    }
    let is_own = |pass: &Pass| matches!(pass, Pass::Device(own) if *own == arch);
    let Some(pass) = unit.passes.list().iter().position(is_own) else { return false };
    // `ptx` is the namespace of CCCL's wrappers of instructions.
    let words = || ["asm", "include", "ptx"].into_iter().chain(intrinsics().iter().map(|row| row.pattern));
    left_to_macros(preprocessed, pass).any(|at| {
        let file = sources.file(at.file);
        let end = file.text.len().min(at.end as usize);
        let text = file.text.get(at.start as usize..end).unwrap_or_default();
        // The first line is the directive that was not followed.
        let inside = text.split_once('\n').map_or("", |(_, inside)| inside);
        words().any(|word| inside.contains(word))
    })
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
