//! Defects of a list of targets that are visible without looking at sources.

use super::arch::{Arch, Suffix};
use super::image::{Image, ImageKind, TEGRA};
use super::notation::{ArchBound, Context, TargetList, read_list};
use super::toolkit::{Release, Toolkit};

/// A defect of a list of targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The targets, GPUs or bound it is about, as text.
    pub about: String,
    /// The defect: one sentence in lower case without a full stop.
    pub message: String,
    /// The suggested remedy.
    pub help: String,
}

/// The targets that the toolkit's nvcc refuses.
pub fn unsupported(list: &TargetList, toolkit: Toolkit) -> Option<Fault> {
    let refused = list.unsupported(toolkit);
    if refused.is_empty() {
        return None;
    }
    let release = |(major, minor): Release| format!("{major}.{minor}");
    let first = refused.iter().filter_map(|arch| arch.first_release()).max()?;
    let last = refused.iter().filter_map(|arch| arch.last_release()).min();
    let help = match last {
        None => format!("CUDA from {} on does", release(first)),
        Some(last) if first <= last => format!("CUDA from {} to {} does", release(first), release(last)),
        Some(_) => "no release compiles for all of them".to_string(),
    };
    let names = refused.iter().map(|arch| arch.sm_name()).collect::<Vec<_>>().join(", ");
    Some(Fault { message: format!("CUDA {toolkit} does not compile for {names}"), about: names, help })
}

/// "Family-specific instruction sets … MUST NOT be used as the sole binary target" (CEP 46, "Notes on usage").
pub fn only_suffixed(list: &TargetList) -> Option<Fault> {
    let baseline = list.images.iter().map(|image| image.arch.number).min()?;
    if list.images.iter().any(|image| image.arch.suffix == Suffix::None) {
        return None;
    }
    let names = list.images.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Some(Fault {
        message: format!("nothing but {names} is embedded, which no later GPU runs"),
        about: names,
        help: format!("add the baseline, `compute_{baseline}`, whose PTX later GPUs run"),
    })
}

/// "package authors SHOULD always include PTX … code for the highest targeted compute capability" (CEP 46, "Notes
/// on usage").
pub fn missing_ptx(list: &TargetList, toolkit: Toolkit) -> Option<Fault> {
    let highest_arch = list.images.iter().map(|image| image.arch).max_by_key(|arch| arch.number)?;
    let (highest, capability) = (highest_arch.number, highest_arch.capability());
    let forward = |image: &Image| image.kind == ImageKind::Ptx && image.arch.suffix == Suffix::None;
    let ptx = list.images.iter().filter(|image| forward(image)).map(|image| image.arch.number).max();
    // Another rule reports a list with suffixed targets only.
    if ptx == Some(highest) || is_nvcc_s_own(list, toolkit) || only_suffixed(list).is_some() {
        return None;
    }
    let has = ptx.map_or("there is none".to_string(), |ptx| format!("the highest is compute_{ptx}"));
    Some(Fault {
        about: format!("sm_{highest}"),
        message: format!("no PTX for the highest target, sm_{highest}, that later GPUs could run: {has}"),
        // The list may be spelt in any of these ways.
        help: format!(
            "add its PTX: `{highest}-virtual` in `CMAKE_CUDA_ARCHITECTURES`, `{capability}+PTX` in \
             `TORCH_CUDA_ARCH_LIST`, or `-gencode arch=compute_{highest},code=compute_{highest}`"
        ),
    })
}

/// Whether the list is that of `-arch=all` or `-arch=all-major`, which embed PTX for the lowest architecture of the
/// highest major version; later GPUs can run that as well.
fn is_nvcc_s_own(list: &TargetList, toolkit: Toolkit) -> bool {
    let context = Context { toolkit, ..Context::default() };
    ["all", "all-major"].iter().any(|word| {
        let own = read_list(word, &context).list;
        own.images.iter().all(|image| list.images.contains(image)) && list.passes.len() == own.passes.len()
    })
}

/// "Package authors SHOULD NOT leave compatibility gaps between the lowest and highest targeted compute
/// capabilities" (CEP 46, "Notes on usage"). Integrated GPUs (those on one chip with a CPU) are left out, since they
/// are separate products.
pub fn gap(list: &TargetList, toolkit: Toolkit) -> Option<Fault> {
    let numbers: Vec<u16> = list.images.iter().map(|image| image.arch.number).collect();
    let (lowest, highest) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let between = Arch::all_of(toolkit).into_iter().filter(|arch| {
        let inside = Some(arch.number) >= lowest && Some(arch.number) <= highest;
        inside && !TEGRA.contains(&arch.number)
    });
    let missing: Vec<Arch> = between.filter(|arch| !runs(list, arch.number)).collect();
    let first = missing.first()?;
    let missing_names: Vec<String> =
        missing.iter().map(|arch| format!("{} ({})", arch.capability(), arch.gpus())).collect();
    let below = numbers.iter().filter(|number| **number < first.number).max().unwrap_or(&first.number);
    Some(Fault {
        about: missing.iter().map(|arch| arch.sm_name()).collect::<Vec<_>>().join(", "),
        message: format!(
            "GPUs between the lowest and the highest target can run nothing: {}",
            missing_names.join(", ")
        ),
        help: format!("add PTX for `compute_{below}`, or code for them"),
    })
}

/// Where a recipe's bound on `__cuda_arch` disagrees with the GPUs that the list's code runs on.
pub fn mismatch(list: &TargetList, bound: &ArchBound, toolkit: Toolkit) -> Vec<Fault> {
    let mut faults = Vec::new();
    let devices = |chosen: &dyn Fn(u16) -> bool| -> Vec<String> {
        let known = Arch::known().filter(|arch| arch.suffix == Suffix::None && !TEGRA.contains(&arch.number));
        let current = known.filter(|arch| arch.accepted_by(toolkit) || list.passes.contains(arch));
        current.filter(|arch| chosen(arch.number)).map(Arch::capability).collect()
    };
    let broken = devices(&|number| bound.allows(number) && !runs(list, number));
    if !broken.is_empty() {
        faults.push(Fault {
            about: bound.text.clone(),
            message: format!(
                "`__cuda_arch {}` lets the package be installed where nothing in it runs: {}",
                bound.text,
                broken.join(", ")
            ),
            help: "raise the bound to the lowest target, or add targets".into(),
        });
    }
    let lost = devices(&|number| !bound.allows(number) && runs(list, number));
    if !lost.is_empty() {
        faults.push(Fault {
            about: bound.text.clone(),
            message: format!(
                "`__cuda_arch {}` keeps the package from GPUs that run it: {}",
                bound.text,
                lost.join(", ")
            ),
            help: "lower the bound to the lowest target, or leave these targets out".into(),
        });
    }
    faults
}

/// Whether some image of the list runs on a GPU of this compute capability (ten times major plus minor).
fn runs(list: &TargetList, device: u16) -> bool {
    list.images.iter().any(|image| image.runs_on(device))
}

#[cfg(test)]
mod tests {
    use super::super::notation::read_conda;
    use super::*;

    fn list(text: &str) -> TargetList {
        read_list(text, &Context::default()).strict().unwrap()
    }

    /// The kinds of defects found, each with a part of its message.
    fn check(text: &str, expected: &[(&str, &str)]) {
        let (list, toolkit) = (list(text), Toolkit::default());
        let all = [
            ("toolkit", unsupported(&list, toolkit)),
            ("only-suffixed", only_suffixed(&list)),
            ("no-ptx", missing_ptx(&list, toolkit)),
            ("gap", gap(&list, toolkit)),
        ];
        let faults: Vec<(&str, Fault)> =
            all.into_iter().filter_map(|(kind, fault)| Some((kind, fault?))).collect();
        let kinds: Vec<&str> = faults.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, expected.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), "{text}: {faults:?}");
        for ((_, fault), (_, part)) in faults.iter().zip(expected) {
            assert!(fault.message.contains(part), "{}", fault.message);
        }
    }

    #[test]
    fn ptx_should_be_there_for_the_highest_target() {
        check("80-real;90-real", &[("no-ptx", "sm_90, that later GPUs could run: there is none")]);
        check("80;90-real", &[("no-ptx", "the highest is compute_80")]);
        check("80-real;90-virtual", &[]);
        check("80;90", &[]);
        check("80-real;90a-virtual;80-virtual", &[("no-ptx", "sm_90")]);
        check("all", &[]);
        check("all-major", &[]);
    }

    #[test]
    fn gaps_should_not_be_left_between_the_lowest_and_the_highest() {
        check("80-real;120", &[("gap", "9.0 (Hopper), 10.0 (Blackwell B200), 10.3 (Blackwell B300)")]);
        check("80;120", &[]);
        check("86-real;90", &[]);
        check("80-real;87-real;90", &[]);
        check("75-real;89-real;90", &[("gap", "8.0 (Ampere A100), 8.6 (Ampere), 8.8 (Ampere)")]);
        check("75-real;86-real;90", &[("gap", "8.0 (Ampere A100)")]);
    }

    #[test]
    fn suffixed_targets_must_not_be_all_there_is() {
        check("90a", &[("only-suffixed", "sm_90a")]);
        check("120f-real", &[("only-suffixed", "sm_120f")]);
        check("90a;90", &[]);
        check("-arch=sm_90a", &[]);
    }

    #[test]
    fn a_toolkit_must_know_the_target() {
        check("70;90", &[("toolkit", "CUDA 13.0 does not compile for sm_70")]);
        let help = |text: &str| unsupported(&list(text), Toolkit::default()).map(|fault| fault.help);
        assert_eq!(help("107").as_deref(), Some("CUDA from 13.4 on does"));
        assert_eq!(help("101").as_deref(), Some("CUDA from 12.8 to 12.9 does"));
        assert_eq!(help("52;70").as_deref(), Some("CUDA from 9.0 to 12.9 does"));
        assert_eq!(help("30;70;107").as_deref(), Some("no release compiles for all of them"));
        assert_eq!(unsupported(&list("107"), Toolkit::parse("13.5").unwrap()), None);
    }

    /// Compares a recipe's bound with a list: the GPUs wrongly admitted and wrongly excluded.
    fn check_bound(text: &str, bound: &str, expected: &[&str]) {
        let (bounds, _) = read_conda(&format!("- __cuda_arch {bound}"));
        let faults = mismatch(&list(text), &bounds[0], Toolkit::default());
        let messages: Vec<&str> =
            faults.iter().map(|fault| fault.message.split("` ").nth(1).unwrap()).collect();
        assert_eq!(messages, expected, "{text} {bound}");
    }

    #[test]
    fn a_recipe_s_bound_must_be_what_the_targets_are() {
        check_bound("80;90", ">=8.0", &[]);
        check_bound("80;90", ">=7.5", &["lets the package be installed where nothing in it runs: 7.5"]);
        check_bound("80;90", ">=9.0", &["keeps the package from GPUs that run it: 8.0, 8.6, 8.8, 8.9"]);
        check_bound(
            "90a-real",
            ">=9.0",
            &["lets the package be installed where nothing in it runs: 10.0, 10.3, 12.0, 12.1"],
        );
        check_bound("80-real", "8.*", &[]);
    }
}
