//! clang's `--offload-arch` and related options (`clang --help`, "Compiling CUDA with clang"), which hipcc takes too.
//! Measured on clang 19: targets are compiled in ascending order whatever the order of the options, and each gets
//! machine code and, unless an option switches it off, PTX.

use super::{Context, ParsedTargets, TargetError, nearest};
use crate::target::arch::{Arch, Suffix};
use crate::target::foreign::{Foreign, Gfx};
use crate::target::image::ImageKind;

/// The number of clang's default architecture (clang 19).
const DEFAULT: u16 = 52;

/// A clang option about targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClangOption {
    Add,
    Remove,
    Ptx,
    NoPtx,
}

const OPTIONS: &[(&str, ClangOption)] = &[
    ("--offload-arch", ClangOption::Add),
    ("--cuda-gpu-arch", ClangOption::Add),
    ("--no-offload-arch", ClangOption::Remove),
    ("--no-cuda-gpu-arch", ClangOption::Remove),
    ("--cuda-include-ptx", ClangOption::Ptx),
    ("--no-cuda-include-ptx", ClangOption::NoPtx),
];

/// The target options of one clang command, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClangOptions {
    options: Vec<(ClangOption, String)>,
}

/// Whether a word is one of clang's target options. Each of them has its value in the same word.
pub fn clang_option(word: &str) -> bool {
    split(word).is_some()
}

fn split(word: &str) -> Option<(ClangOption, &str)> {
    let (name, value) = word.split_once('=')?;
    OPTIONS.iter().find(|(known, _)| *known == name).map(|(_, option)| (*option, value))
}

impl ClangOptions {
    /// Adds a word if it is one of these options.
    pub fn add(&mut self, word: &str) {
        if let Some((option, value)) = split(word) {
            self.options.push((option, value.to_string()));
        }
    }

    /// Whether no option names a target.
    pub fn is_empty(&self) -> bool {
        !self.options.iter().any(|(option, _)| *option == ClangOption::Add)
    }
}

/// The passes and images of a command with these options; clang's default if they name none.
pub fn read_clang(options: &ClangOptions, context: &Context) -> ParsedTargets {
    let mut parsed = ParsedTargets::default();
    let mut archs: Vec<Arch> = Vec::new();
    let mut foreign: Vec<Gfx> = Vec::new();
    let names = options
        .options
        .iter()
        .filter(|(option, _)| matches!(option, ClangOption::Add | ClangOption::Remove))
        .flat_map(|(option, list)| list.split(',').map(move |name| (*option, name)));
    for (option, name) in names {
        match (option, name) {
            (ClangOption::Add, "native") => archs.extend((context.devices)().into_iter().map(Arch::plain)),
            (ClangOption::Remove, "all") => {
                archs.clear();
                foreign.clear();
            }
            _ => match (target(name), option) {
                (Ok(Target::Nvidia(arch)), ClangOption::Add) => archs.push(arch),
                (Ok(Target::Nvidia(arch)), _) => archs.retain(|one| *one != arch),
                (Ok(Target::Amd(gfx)), ClangOption::Add) => foreign.push(gfx),
                (Ok(Target::Amd(gfx)), _) => foreign.retain(|one| *one != gfx),
                (Err(error), _) => parsed.errors.push(error),
            },
        }
    }
    archs.sort_unstable();
    archs.dedup();
    if archs.is_empty() && foreign.is_empty() {
        archs.push(Arch::plain(DEFAULT));
    }
    for arch in archs {
        parsed.list.pass(arch);
        parsed.list.image(ImageKind::Elf, arch);
        if has_ptx(options, arch) {
            parsed.list.image(ImageKind::Ptx, arch);
        }
    }
    foreign.sort();
    foreign.dedup();
    parsed.list.foreign = foreign.into_iter().map(Foreign::new).collect();
    parsed
}

/// Whether PTX is embedded for an architecture: the last option about it decides.
fn has_ptx(options: &ClangOptions, arch: Arch) -> bool {
    let about = |value: &str| value == "all" || value == arch.sm_name();
    let last = options.options.iter().rev().find_map(|(option, value)| match option {
        ClangOption::Ptx if about(value) => Some(true),
        ClangOption::NoPtx if about(value) => Some(false),
        _ => None,
    });
    last.unwrap_or(true)
}

enum Target {
    Nvidia(Arch),
    Amd(Gfx),
}

fn target(name: &str) -> Result<Target, TargetError> {
    if name.starts_with(Gfx::PREFIX) {
        return Gfx::parse(name).map(Target::Amd).ok_or_else(|| {
            let help = format!("the nearest is `{}`", Gfx::nearest(name));
            TargetError::new(format!("unknown architecture `{name}`"), help)
        });
    }
    let known: Vec<Arch> = Arch::known().filter(|arch| arch.suffix != Suffix::F).collect();
    let arch = known.iter().find(|arch| arch.sm_name() == name);
    match arch {
        Some(arch) => Ok(Target::Nvidia(*arch)),
        None => Err(nearest::unknown(name, &known, &["native"], Arch::sm_name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> ParsedTargets {
        let mut options = ClangOptions::default();
        words.split_whitespace().for_each(|word| options.add(word));
        read_clang(&options, &Context { devices: || vec![86], ..Context::default() })
    }

    /// The images, as `clang++-19 -###` shows them.
    fn check(words: &str, expected: &str) {
        let parsed = read(words);
        let images: Vec<String> = parsed.list.images.iter().map(ToString::to_string).collect();
        assert_eq!(images.join(" "), expected, "{words}: {:?}", parsed.errors);
    }

    #[test]
    fn every_option_does_what_clang_19_does() {
        check("--offload-arch=sm_80", "sm_80 compute_80");
        check("--offload-arch=sm_90,sm_80", "sm_80 compute_80 sm_90 compute_90");
        check("--cuda-gpu-arch=sm_90 --offload-arch=sm_80", "sm_80 compute_80 sm_90 compute_90");
        check("--offload-arch=sm_80 --cuda-gpu-arch=sm_70 --no-cuda-gpu-arch=sm_80", "sm_70 compute_70");
        check("--offload-arch=sm_80 --no-offload-arch=all --offload-arch=sm_90a", "sm_90a compute_90a");
        check("--offload-arch=sm_80 --no-offload-arch=sm_80", "sm_52 compute_52");
        check("", "sm_52 compute_52");
        check("--no-cuda-include-ptx=sm_80 --offload-arch=sm_80", "sm_80");
        check(
            "--cuda-include-ptx=all --no-cuda-include-ptx=all --cuda-include-ptx=sm_80 --offload-arch=sm_80,sm_90",
            "sm_80 compute_80 sm_90",
        );
        check("--offload-arch=native", "sm_86 compute_86");
    }

    #[test]
    fn amd_s_gpus_are_kept_apart() {
        let parsed = read("--offload-arch=gfx1100,gfx90a:xnack- --no-offload-arch=gfx1100");
        assert_eq!(
            parsed.list.foreign.iter().map(|one| one.gpu.to_string()).collect::<Vec<_>>(),
            ["gfx90a:xnack-"]
        );
        assert!(parsed.list.passes.is_empty());
    }

    #[test]
    fn what_clang_refuses_is_refused_with_the_nearest() {
        for (word, near) in [
            ("compute_80", "sm_80"),
            ("80", "sm_80"),
            ("sm_81", "sm_80"),
            ("sm_90f", "sm_90"),
            ("gfx1104", "gfx1100"),
            ("gfx90", "gfx900"),
            ("natve", "native"),
        ] {
            let error = &read(&format!("--offload-arch={word}")).errors[0];
            assert_eq!(error.message, format!("unknown architecture `{word}`"));
            assert!(error.help.starts_with(&format!("the nearest is `{near}`")), "{word}: {}", error.help);
        }
        assert!(!clang_option("--offload-arch") && !clang_option("-offload-arch=sm_80"));
    }
}
