//! What is wrong with a list of targets by itself, whatever the sources do.

use super::arch::{Arch, Suffix};
use super::image::{Image, ImageKind, TEGRA};
use super::notation::{ArchBound, Context, TargetList, read_list};
use super::toolkit::Toolkit;

/// Something wrong with a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// A name that stays: `no-ptx`, `gap`, `only-suffixed`, `toolkit`, `recipe`.
    pub id: &'static str,
    /// What is wrong, one sentence in lower case without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// The faults of a list that is compiled by a toolkit's nvcc. The first three are CEP 46's "Notes on usage".
pub fn audit(list: &TargetList, toolkit: Toolkit) -> Vec<Fault> {
    let refused = unsupported(list, toolkit);
    if list.images.is_empty() {
        return refused;
    }
    [refused, only_suffixed(list), no_ptx(list, toolkit), gaps(list, toolkit)].concat()
}

/// What a toolkit refuses to compile for.
fn unsupported(list: &TargetList, toolkit: Toolkit) -> Vec<Fault> {
    let fault = |arch: Arch| {
        let release = |(major, minor): (u32, u32)| format!("{major}.{minor}");
        let first = arch.first_release().map_or("no release".to_string(), release);
        let until = arch.last_release().map_or("on".to_string(), |last| format!("to {}", release(last)));
        Fault {
            id: "toolkit",
            message: format!("CUDA {toolkit} does not compile for {}", arch.sm_name()),
            help: format!("CUDA from {first} {until} does"),
        }
    };
    list.unsupported(toolkit).into_iter().map(fault).collect()
}

/// "Family-specific instruction sets … MUST NOT be used as the sole binary target."
fn only_suffixed(list: &TargetList) -> Vec<Fault> {
    if list.images.iter().any(|image| image.arch.suffix == Suffix::None) {
        return Vec::new();
    }
    let baseline = list.images.iter().map(|image| image.arch.number).min().unwrap_or_default();
    vec![Fault {
        id: "only-suffixed",
        message: format!("nothing but {} is embedded, which no later GPU runs", names(&list.images)),
        help: format!("add the baseline, `compute_{baseline}`, whose PTX later GPUs run"),
    }]
}

/// "package authors SHOULD always include PTX … code for the highest targeted compute capability."
fn no_ptx(list: &TargetList, toolkit: Toolkit) -> Vec<Fault> {
    let highest = list.images.iter().map(|image| image.arch.number).max().unwrap_or_default();
    let forward = |image: &Image| image.kind == ImageKind::Ptx && image.arch.suffix == Suffix::None;
    let ptx = list.images.iter().filter(|image| forward(image)).map(|image| image.arch.number).max();
    if ptx == Some(highest) || is_nvcc_s_own(list, toolkit) {
        return Vec::new();
    }
    let has = ptx.map_or("there is none".to_string(), |ptx| format!("the highest is compute_{ptx}"));
    vec![Fault {
        id: "no-ptx",
        message: format!("no PTX for the highest target, sm_{highest}, that later GPUs could run: {has}"),
        help: format!("add `-gencode arch=compute_{highest},code=compute_{highest}`"),
    }]
}

/// `-arch=all` and `-arch=all-major` have PTX for the lowest architecture of the highest major version, which
/// later GPUs run just as well.
fn is_nvcc_s_own(list: &TargetList, toolkit: Toolkit) -> bool {
    let context = Context { toolkit, ..Context::default() };
    ["all", "all-major"].iter().any(|word| {
        let own = read_list(word, &context).list;
        own.images.iter().all(|image| list.images.contains(image)) && list.passes.len() == own.passes.len()
    })
}

/// "Package authors SHOULD NOT leave compatibility gaps between the lowest and highest targeted compute
/// capabilities." GPUs beside a CPU on one chip are left out: they are products of their own.
fn gaps(list: &TargetList, toolkit: Toolkit) -> Vec<Fault> {
    let numbers: Vec<u16> = list.images.iter().map(|image| image.arch.number).collect();
    let (lowest, highest) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let between = Arch::all_of(toolkit).into_iter().filter(|arch| {
        let inside = Some(arch.number) >= lowest && Some(arch.number) <= highest;
        inside && !TEGRA.contains(&arch.number)
    });
    let missing: Vec<Arch> = between.filter(|arch| !runs(list, arch.number)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let missing_names: Vec<String> =
        missing.iter().map(|arch| format!("{} ({})", arch.capability(), arch.gpus())).collect();
    let below =
        numbers.iter().filter(|number| **number < missing[0].number).max().unwrap_or(&missing[0].number);
    vec![Fault {
        id: "gap",
        message: format!(
            "GPUs between the lowest and the highest target can run nothing: {}",
            missing_names.join(", ")
        ),
        help: format!("add PTX for `compute_{below}`, or code for them"),
    }]
}

/// Where a recipe's bound on `__cuda_arch` disagrees with what a list lets run, among a toolkit's GPUs.
pub fn audit_bound(list: &TargetList, bound: &ArchBound, toolkit: Toolkit) -> Vec<Fault> {
    let mut faults = Vec::new();
    let devices = |chosen: &dyn Fn(u16) -> bool| -> Vec<String> {
        let known = Arch::known().filter(|arch| arch.suffix == Suffix::None && !TEGRA.contains(&arch.number));
        let current = known.filter(|arch| arch.accepted_by(toolkit) || list.passes.contains(arch));
        current.filter(|arch| chosen(arch.number)).map(Arch::capability).collect()
    };
    let broken = devices(&|number| bound.allows(number) && !runs(list, number));
    if !broken.is_empty() {
        faults.push(Fault {
            id: "recipe",
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
            id: "recipe",
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

/// Some image of the list runs on a GPU.
fn runs(list: &TargetList, device: u16) -> bool {
    list.images.iter().any(|image| image.runs_on(device))
}

fn names(images: &[Image]) -> String {
    images.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::notation::read_conda;
    use super::*;

    fn list(text: &str) -> TargetList {
        read_list(text, &Context::default()).strict().unwrap()
    }

    /// The faults' names, and that each one's message has this in it.
    fn check(text: &str, expected: &[(&str, &str)]) {
        let faults = audit(&list(text), Toolkit::default());
        let ids: Vec<&str> = faults.iter().map(|fault| fault.id).collect();
        assert_eq!(ids, expected.iter().map(|(id, _)| *id).collect::<Vec<_>>(), "{text}: {faults:?}");
        for (fault, (_, part)) in faults.iter().zip(expected) {
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
        check("90a", &[("only-suffixed", "sm_90a"), ("no-ptx", "sm_90")]);
        check("120f-real", &[("only-suffixed", "sm_120f"), ("no-ptx", "sm_120")]);
        check("90a;90", &[]);
        check("-arch=sm_90a", &[]);
    }

    #[test]
    fn a_toolkit_must_know_the_target() {
        check("70;90", &[("toolkit", "CUDA 13.0 does not compile for sm_70")]);
        let faults = audit(&list("107"), Toolkit::default());
        assert_eq!(faults[0].help, "CUDA from 13.4 on does");
        assert!(audit(&list("107"), Toolkit::parse("13.5").unwrap()).is_empty());
        assert_eq!(audit(&list("101"), Toolkit::default())[0].help, "CUDA from 12.8 to 12.9 does");
    }

    /// A recipe's bound against a list: which GPUs are let in wrongly, and which kept out.
    fn check_bound(text: &str, bound: &str, expected: &[&str]) {
        let (bounds, _) = read_conda(&format!("- __cuda_arch {bound}"));
        let faults = audit_bound(&list(text), &bounds[0], Toolkit::default());
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
