//! nvcc's `-arch`, `-code` and `-gencode`: which device passes one command runs.
//!
//! What each form expands to was measured on nvcc 11.8 to 13.5 with `--dryrun`.

use crate::target::{Arch, Suffix, parse_arch_list};

/// The target options of one nvcc command, as they came.
#[derive(Clone, Debug, Default)]
pub(super) struct TargetOptions {
    /// The value of the last `-arch`.
    pub(super) arch: Option<String>,
    /// `-code` was given: then `-arch` runs exactly one pass.
    pub(super) code: bool,
    /// The values of each `-gencode`: `arch=compute_80,code=[sm_80,compute_80]`.
    pub(super) gencode: Vec<String>,
    /// clang's `--offload-arch` and `--cuda-gpu-arch`, one name each.
    pub(super) offload: Vec<String>,
}

/// What the target options come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Expansion {
    /// The device passes, in the order nvcc runs them, each once. Empty when nothing named any.
    pub(super) archs: Vec<Arch>,
    /// Names that are no architecture this program knows.
    pub(super) unknown: Vec<String>,
}

/// The device passes that a command's target options ask for: `-arch` counts as the first.
pub(super) fn expand(options: &TargetOptions) -> Expansion {
    let mut expansion = Expansion::default();
    if let Some(arch) = &options.arch {
        expansion.add_arch(arch, options.code);
    }
    for value in &options.gencode {
        match gencode_arch(value) {
            Some(arch) => expansion.add_names(&arch),
            None => expansion.unknown.push(value.clone()),
        }
    }
    for name in options.offload.iter().filter(|name| !name.starts_with("gfx")) {
        expansion.add_names(name);
    }
    expansion
}

impl Expansion {
    /// `-arch=sm_90a` without `-code` runs two passes, `compute_90` and `compute_90a`. What
    /// `native` finds is not known here.
    fn add_arch(&mut self, value: &str, code: bool) {
        match value {
            "all" => self.push_all(Arch::all()),
            "all-major" => self.push_all(all_major()),
            "native" => {}
            _ => match parse_arch_list(value) {
                Ok(archs) if code => self.push_all(archs),
                Ok(archs) => {
                    let both = |arch: Arch| [Arch { suffix: Suffix::None, ..arch }, arch];
                    self.push_all(archs.into_iter().flat_map(both));
                }
                Err(_) => self.unknown.push(value.to_string()),
            },
        }
    }

    fn add_names(&mut self, names: &str) {
        match parse_arch_list(names) {
            Ok(archs) => self.push_all(archs),
            Err(error) => self.unknown.push(error.name),
        }
    }

    fn push_all(&mut self, archs: impl IntoIterator<Item = Arch>) {
        for arch in archs {
            if !self.archs.contains(&arch) {
                self.archs.push(arch);
            }
        }
    }
}

/// The lowest architecture of each major version in `all`.
fn all_major() -> Vec<Arch> {
    let mut archs = Arch::all();
    archs.dedup_by_key(|arch| arch.number / 10);
    archs
}

/// The `arch` of `arch=compute_80,code=[sm_80,compute_80]`; its quotes were the shell's.
fn gencode_arch(value: &str) -> Option<String> {
    let at = value.find("arch=")? + "arch=".len();
    let rest = &value[at..];
    let end = rest.find(",code").unwrap_or(rest.len());
    Some(rest[..end].trim_matches(|c: char| "[]\"'\\ ".contains(c)).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options as `-arch=…`, `-code=…`, `-gencode …` and `--offload-arch=…` words.
    fn check(words: &str, expected: &str) {
        let mut options = TargetOptions::default();
        for word in words.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap();
            match name {
                "-arch" => options.arch = Some(value.into()),
                "-code" => options.code = true,
                "-gencode" => options.gencode.push(value.into()),
                _ => options.offload.push(value.into()),
            }
        }
        let names: Vec<_> = expand(&options).archs.iter().map(|arch| arch.compute_name()).collect();
        assert_eq!(names.join(" "), expected, "{words}");
    }

    #[test]
    fn the_passes_are_those_nvcc_runs() {
        check("-arch=sm_80", "compute_80");
        check("-arch=compute_80 -code=sm_80,sm_86,sm_90", "compute_80");
        check("-arch=sm_90a", "compute_90 compute_90a");
        check("-arch=compute_90a -code=sm_90a", "compute_90a");
        check("-gencode=arch=compute_90a,code=sm_90a", "compute_90a");
        check("-gencode=arch=compute_80,code=[sm_80,compute_80]", "compute_80");
        check("-gencode=arch=compute_80,code=\"sm_80,compute_80\"", "compute_80");
        check(
            "-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_75,code=sm_75 \
             -gencode=arch=compute_80,code=compute_80",
            "compute_80 compute_75",
        );
        check("-arch=sm_80 -gencode=arch=compute_90,code=sm_90", "compute_80 compute_90");
        check("-arch=all-major", "compute_75 compute_80 compute_90 compute_100 compute_110 compute_120");
        check("-arch=native", "");
        check("--offload-arch=sm_90a --offload-arch=gfx90a", "compute_90a");
    }

    #[test]
    fn an_unknown_architecture_is_said() {
        let options =
            TargetOptions { gencode: vec!["arch=compute_999,code=sm_999".into()], ..Default::default() };
        assert_eq!(expand(&options).unknown, ["compute_999"]);
    }
}
