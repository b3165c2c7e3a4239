//! The variable `TORCH_CUDA_ARCH_LIST`, as PyTorch's `torch.utils.cpp_extension` reads it.

use super::{Context, ParsedTargets, TargetError, nearest};
use crate::target::arch::Arch;
use crate::target::image::ImageKind;

/// Names of GPU generations and the versions they stand for. A name comes after every longer name that begins with
/// it.
const GENERATIONS: &[(&str, &str)] = &[
    ("Kepler+Tesla", "3.7"),
    ("Kepler", "3.5+PTX"),
    ("Maxwell+Tegra", "5.3"),
    ("Maxwell", "5.0;5.2+PTX"),
    ("Pascal", "6.0;6.1+PTX"),
    ("Volta+Tegra", "7.2"),
    ("Volta", "7.0+PTX"),
    ("Turing", "7.5+PTX"),
    ("Ampere+Tegra", "8.7"),
    ("Ampere", "8.0;8.6+PTX"),
    ("Ada", "8.9+PTX"),
    ("Hopper", "9.0+PTX"),
    ("Blackwell+Tegra", "11.0"),
    ("Blackwell", "10.0;10.3;12.0;12.1+PTX"),
];

/// The suffix of a version that asks for PTX as well.
const PTX: &str = "+PTX";

/// Reads `8.0;8.6+PTX;9.0a`, `Ampere`, or `native`. Blanks separate entries as semicolons do.
///
/// PyTorch passes the options to nvcc sorted as text, so that 10.0 comes before 7.5 whatever the order of the list.
/// The order matters: the last target's pass registers the kernels.
pub fn read_torch(text: &str, context: &Context) -> ParsedTargets {
    let mut parsed = ParsedTargets::default();
    let mut options: Vec<(String, ImageKind, Arch)> = Vec::new();
    for entry in expanded(text, context).split(';') {
        let (version, ptx) = match entry.strip_suffix(PTX) {
            Some(version) => (version, true),
            None => (entry, false),
        };
        match of_version(version) {
            Some(arch) => {
                options.push((arch.sm_name(), ImageKind::Elf, arch));
                if ptx {
                    options.push((arch.compute_name(), ImageKind::Ptx, arch));
                }
            }
            None => parsed.errors.push(unknown(entry)),
        }
    }
    options.sort_by_key(|(code, _, arch)| (arch.compute_name(), code.clone()));
    for (_, kind, arch) in options {
        parsed.list.pass(arch);
        parsed.list.image(kind, arch);
    }
    parsed
}

/// The list with generations and `native` replaced by versions.
fn expanded(text: &str, context: &Context) -> String {
    if text == "native" {
        let versions = (context.devices)().into_iter().map(|number| Arch::plain(number).capability());
        return format!("{}{PTX}", versions.collect::<Vec<_>>().join(";"));
    }
    let mut text = text.replace(' ', ";");
    for (name, versions) in GENERATIONS {
        text = text.replace(name, versions);
    }
    text
}

/// Parses `9.0a`.
fn of_version(text: &str) -> Option<Arch> {
    Arch::known().find(|arch| version(*arch) == text)
}

/// An architecture in this notation.
fn version(arch: Arch) -> String {
    let suffix = arch.to_string().trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
    format!("{}{suffix}", arch.capability())
}

fn unknown(entry: &str) -> TargetError {
    let known: Vec<Arch> = Arch::known().collect();
    let words: Vec<&str> = generations().chain(["native"]).collect();
    nearest::unknown(entry, &known, &words, version)
}

/// The names of generations.
pub(super) fn generations() -> impl Iterator<Item = &'static str> {
    GENERATIONS.iter().map(|(name, _)| *name)
}

/// Whether a word of a list is in this notation: `8.0`, `9.0a+PTX`, `Ampere`.
pub(super) fn looks_like(word: &str) -> bool {
    let dotted = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    dotted || word.ends_with(PTX) || GENERATIONS.iter().any(|(name, _)| *name == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let context = Context { devices: || vec![75, 90], ..Context::default() };
        let list = read_torch(text, &context).strict().unwrap();
        let images: Vec<String> = list.images.iter().map(ToString::to_string).collect();
        assert_eq!(images.join(" "), expected, "{text}");
    }

    #[test]
    fn versions_and_names_become_sorted_options() {
        check("8.0;8.6+PTX;9.0a", "sm_80 compute_86 sm_86 sm_90a");
        check("8.0 9.0", "sm_80 sm_90");
        check("9.0;8.0", "sm_80 sm_90");
        check("7.5;10.0", "sm_100 sm_75");
        check("Ampere", "sm_80 compute_86 sm_86");
        check("Ampere+Tegra;Ada", "sm_87 compute_89 sm_89");
        check("Blackwell", "sm_100 sm_103 sm_120 compute_121 sm_121");
        check("native", "sm_75 compute_90 sm_90");
    }

    #[test]
    fn an_entry_that_is_none_is_refused_with_the_nearest() {
        for (entry, near) in [
            ("8.1", "8.0"),
            ("9.0f", "9.0"),
            ("sm_80", "8.0"),
            ("Amper", "Ampere"),
            ("hopper", "Hopper"),
            ("80", "8.0"),
            ("8.6+ptx", "8.6"),
        ] {
            let error = &read_torch(entry, &Context::default()).errors[0];
            assert!(error.help.starts_with(&format!("the nearest is `{near}`")), "{entry}: {}", error.help);
        }
        assert_eq!(
            read_torch("8.0,8.6", &Context::default()).errors[0].message,
            "unknown architecture `8.0,8.6`"
        );
    }
}
