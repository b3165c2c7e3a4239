//! The value of `--arch`: a list of targets in any mixture of notations.

use super::{
    ClangOptions, Context, NvccOption, NvccOptions, ParsedTargets, TargetError, TargetList, clang_option,
    nearest, nvcc_target_option, read_clang, read_cmake, read_nvcc, read_torch, torch,
};
use crate::target::arch::Arch;
use crate::target::foreign::Gfx;
use crate::target::image::ImageKind;

/// The word for every architecture of the toolkit, as in `nvcc -arch=all`.
pub const ALL: &str = "all";

const WORDS: [&str; 3] = [ALL, "all-major", "native"];

/// Reads the architectures of a list under the default toolkit: `75,sm_80`, `8.6+PTX`, `all`. Keeps their order and
/// drops repetitions.
///
/// # Errors
/// The first name that is no architecture of any CUDA toolkit.
pub fn parse_arch_list(list: &str) -> Result<Vec<Arch>, TargetError> {
    read_list(list, &Context::default()).strict().map(|list| list.passes)
}

/// Reads targets in any notation: options of nvcc (`-gencode arch=…,code=…`) or clang (`--offload-arch=…`), or a list
/// of names separated by commas, semicolons or blanks: nvcc's (`sm_80`, `compute_90a`), CMake's (`80`, `80-real`),
/// PyTorch's (`8.6+PTX`, `Ampere`), AMD's (`gfx1100`), and `all`, `all-major` and `native`.
pub fn read_list(text: &str, context: &Context) -> ParsedTargets {
    let words = shlex::split(text).unwrap_or_default();
    if words.iter().any(|word| word.starts_with('-')) {
        return read_options(&words, context);
    }
    if text.contains("arch=") {
        return read_options(&["-gencode".to_string(), text.trim().to_string()], context);
    }
    let mut parsed = ParsedTargets::default();
    for name in text.split([',', ';', ' ', '\t', '\n']).filter(|name| !name.is_empty()) {
        let one = read_name(name, context);
        parsed.list.extend(&one.list);
        parsed.errors.extend(one.errors);
    }
    if parsed.list.is_empty() && parsed.errors.is_empty() {
        let message = format!("`{text}` names no architecture");
        parsed.errors.push(TargetError::new(message, "name one, such as `sm_80`, or `all`"));
    }
    parsed
}

/// Reads command-line options of nvcc or clang.
fn read_options(words: &[String], context: &Context) -> ParsedTargets {
    let mut nvcc = NvccOptions::default();
    let mut clang = ClangOptions::default();
    let mut errors = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = word.split_once('=').map(|(_, value)| value.to_string());
        match nvcc_target_option(word) {
            Some(NvccOption::Lto) => nvcc.add(NvccOption::Lto, ""),
            Some(option) => match value.or_else(|| rest.next().cloned()) {
                Some(value) => nvcc.add(option, &value),
                None => errors.push(TargetError::new(
                    format!("`{word}` has no value"),
                    "give the value after a blank or `=`",
                )),
            },
            None if clang_option(word) => clang.add(word),
            None if matches!(word.as_str(), "-dc" | "--device-c" | "-rdc=true") => nvcc.rdc = true,
            None => errors.push(TargetError::new(
                format!("`{word}` is not a target option of nvcc or clang"),
                "those are -arch, -code, -gencode, --offload-arch and their long forms",
            )),
        }
    }
    let mut parsed = match clang == ClangOptions::default() {
        true => read_nvcc(&nvcc, context),
        false => read_clang(&clang, context),
    };
    errors.append(&mut parsed.errors);
    parsed.errors = errors;
    parsed
}

/// Reads one name in the notation that it belongs to.
fn read_name(name: &str, context: &Context) -> ParsedTargets {
    if WORDS.contains(&name) {
        let options = NvccOptions { arch: Some(name.to_string()), ..NvccOptions::default() };
        return read_nvcc(&options, context);
    }
    if name.starts_with(Gfx::PREFIX) {
        let mut options = ClangOptions::default();
        options.add(&format!("--offload-arch={name}"));
        return read_clang(&options, context);
    }
    if torch::looks_like(name) {
        return read_torch(name, context);
    }
    const PREFIXES: [(&str, &[ImageKind]); 3] = [
        ("sm_", &[ImageKind::Elf, ImageKind::Ptx]),
        ("compute_", &[ImageKind::Ptx]),
        ("lto_", &[ImageKind::Lto]),
    ];
    for (prefix, kinds) in PREFIXES {
        let Some(arch) = name.strip_prefix(prefix).and_then(Arch::of_number) else { continue };
        let mut list = TargetList::default();
        list.pass(arch);
        kinds.iter().for_each(|kind| list.image(*kind, arch));
        return ParsedTargets { list, errors: Vec::new() };
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return read_cmake(name, context);
    }
    let known: Vec<Arch> = Arch::known().collect();
    let prefix = if name.starts_with("compute") { "compute_" } else { "sm_" };
    let words: Vec<&str> = WORDS.into_iter().chain(torch::generations()).collect();
    let error = nearest::unknown(name, &known, &words, |arch| format!("{prefix}{arch}"));
    ParsedTargets { errors: vec![error], ..ParsedTargets::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, expected: &str) {
        let archs = parse_arch_list(list).unwrap_or_else(|error| panic!("{list}: {error}"));
        let names: Vec<_> = archs.into_iter().map(|arch| arch.to_string()).collect();
        assert_eq!(names.join(" "), expected, "{list}");
    }

    #[test]
    fn every_notation_names_the_passes() {
        check("75,sm_80,compute_90a", "75 80 90a");
        check("9.0a, 8.6", "90a 86");
        check("90,80,sm_90", "90 80");
        check("80-real;90-virtual", "80 90");
        check("8.0 8.6+PTX", "80 86");
        check("Ampere", "80 86");
        check("all-major", "75 80 90 100 110 120");
        check("arch=compute_80,code=[sm_80,compute_80]", "80");
        check("-gencode arch=compute_80,code=sm_80 --generate-code=arch=compute_90a,code=sm_90a", "80 90a");
        check("-arch=sm_90a", "90 90a");
        check("--offload-arch=sm_90,sm_80", "80 90");
        check("all,75", "75 80 86 87 88 89 90 100 103 110 120 121");
    }

    #[test]
    fn a_name_that_is_no_architecture_is_refused_with_the_nearest() {
        let list = "`cuda-arch-lint targets --list` lists all";
        for (name, near) in [
            ("80a", "80"),
            ("sm_81", "sm_80"),
            ("compute_95", "compute_90"),
            ("8.1", "8.0"),
            ("81-real", "80-real"),
            ("ampere", "Ampere"),
            ("Blackwel", "Blackwell"),
            ("al", "all"),
        ] {
            let error = parse_arch_list(name).unwrap_err();
            assert_eq!(error.message, format!("unknown architecture `{name}`"));
            assert_eq!(error.help, format!("the nearest is `{near}`; {list}"), "{name}");
        }
        assert!(parse_arch_list("").is_err() && parse_arch_list(" ,").is_err());
        assert!(parse_arch_list("--arch=sm_80").unwrap_err().message.contains("`--arch=sm_80`"));
    }

    #[test]
    fn amd_s_names_are_foreign() {
        let list = read_list("gfx1100,80", &Context::default()).strict().unwrap();
        assert_eq!(
            list.to_passes().unwrap().list()[1..].iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["sm_80", "gfx1100"]
        );
        let error = parse_arch_list("gfx1101x").unwrap_err();
        assert_eq!(error.help, "the nearest is `gfx1101`");
    }
}
