//! The macros that nvcc itself defines, and the ones that misspelt names mean.
//!
//! In: the name of a macro. Out: whether it is nvcc's, or which of nvcc's it most likely means. Knows no values and no
//! passes: [`super::predefined()`] does.

use super::arch::Arch;

/// The macro that device passes define, with the number of their architecture.
const ARCH: &str = "__CUDA_ARCH__";

/// The macros that nvcc defines (its manual, "NVCC Identification Macro", and CUDA C++ Programming Guide,
/// "Compatibility Macros"), but for those of the features of one target.
const OWN: [&str; 15] = [
    ARCH,
    "__CUDA_ARCH_LIST__",
    "__CUDA_ARCH_SPECIFIC__",
    "__CUDA_ARCH_FAMILY_SPECIFIC__",
    "__CUDACC__",
    "__NVCC__",
    "__CUDACC_RDC__",
    "__CUDACC_EWP__",
    "__CUDACC_DEBUG__",
    "__CUDACC_EXTENDED_LAMBDA__",
    "__CUDACC_RELAXED_CONSTEXPR__",
    "__CUDACC_RTC__",
    "__CUDACC_VER_MAJOR__",
    "__CUDACC_VER_MINOR__",
    "__CUDACC_VER_BUILD__",
];

/// Names without their underscores that mix two of nvcc's; all mean `__CUDA_ARCH__`.
const MIXED: [&str; 4] = ["CUDACCARCH", "NVCCARCH", "CUDADEVICEARCH", "CUDAARCHITECTURE"];

/// The beginning of the macros of features, `__CUDA_ARCH_FEAT_SM90_ALL`.
const FEATURE: &str = "__CUDA_ARCH_FEAT_SM";

/// Letters without which a name is too short to be taken for another with one letter more, less or exchanged.
const LONG_ENOUGH: usize = 6;

/// Whether nvcc defines the macro of this name, in some pass, for some target.
pub fn is_own_macro(name: &str) -> bool {
    OWN.contains(&name) || feature_number(name).is_some()
}

/// Whether only implementations may define the name ([lex.name]).
pub fn is_reserved(name: &str) -> bool {
    name.starts_with("__")
        || name.starts_with('_') && name[1..].starts_with(|first: char| first.is_ascii_uppercase())
}

/// The macro of nvcc's that a name most likely means which nvcc does not define. Names that are not reserved may be
/// anybody's, so of these only `CUDA_ARCH` is one.
pub fn meant_macro(name: &str) -> Option<String> {
    let is_upper =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_upper || is_own_macro(name) {
        return None;
    }
    let letters = letters(name);
    if !is_reserved(name) {
        return (letters == self::letters(ARCH) && name.contains("_ARCH")).then(|| ARCH.to_string());
    }
    if letters.starts_with("CUDAARCHFEAT") {
        return meant_feature(name);
    }
    if MIXED.contains(&letters.as_str()) {
        return Some(ARCH.to_string());
    }
    let same = OWN.into_iter().find(|own| letters_of(own).eq(letters.chars()));
    let near = || {
        let near = |own: &&str| {
            let length = letters_of(own).count();
            length >= LONG_ENOUGH
                && length.abs_diff(letters.len()) <= 1
                && strsim::osa_distance(&self::letters(own), &letters) == 1
        };
        OWN.into_iter().find(near)
    };
    same.or_else(near).map(String::from)
}

/// The target of `__CUDA_ARCH_FEAT_SM90_ALL`.
fn feature_number(name: &str) -> Option<&str> {
    let number = name.strip_prefix(FEATURE)?.strip_suffix("_ALL")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number).filter(|number| !number.is_empty())
}

/// The macro of the features of the target whose number is in the name.
fn meant_feature(name: &str) -> Option<String> {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    Arch::known().any(|arch| arch.number.to_string() == digits).then(|| format!("{FEATURE}{digits}_ALL"))
}

/// A name without its underscores.
fn letters(name: &str) -> String {
    letters_of(name).collect()
}

fn letters_of(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| *letter != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(meant_macro(name).as_deref(), expected, "{name}");
    }

    #[test]
    fn underscores_letters_and_mixed_names_are_misspellings() {
        for name in
            ["_CUDA_ARCH__", "__CUDA_ARCH", "__CUDA_ARCH_", "CUDA_ARCH", "CUDA_ARCH__", "__CUDAARCH__"]
        {
            check(name, Some(ARCH));
        }
        for name in ["__CUDA_ACRH__", "__CUDA_ARC__", "__CUDA_ARCHS__", "__CUDACC_ARCH__", "__NVCC_ARCH__"] {
            check(name, Some(ARCH));
        }
        check("__CUDACC", Some("__CUDACC__"));
        check("__CUDAC__", Some("__CUDACC__"));
        check("_NVCC_", Some("__NVCC__"));
        check("__CUDA_ARCH_FEAT_SM90A_ALL", Some("__CUDA_ARCH_FEAT_SM90_ALL"));
        check("__CUDA_ARCH_FEAT_SM_100_ALL__", Some("__CUDA_ARCH_FEAT_SM100_ALL"));
    }

    #[test]
    fn names_of_others_mean_nothing_of_nvccs() {
        for name in [ARCH, "__CUDACC__", "__CUDA_ARCH_FEAT_SM90_ALL", "__CUDA_ARCH_LIST__"] {
            check(name, None);
        }
        for name in
            ["__CUDA__", "__NVCOMPILER_CUDA_ARCH__", "__CUDACC_VER__", "__NVC__", "__HIPCC__", "__HCC__"]
        {
            check(name, None);
        }
        for name in
            ["NVCC", "CUDACC", "CUDA_ARCH_FAMILY", "CUDA_ARCHS", "USE_CUDA_ARCH", "CudaArch", "CUDAARCH"]
        {
            check(name, None);
        }
        check("__CUDA_ARCH_HAS_FEATURE__", None);
        check("__CUDA_ARCH_FEAT_ANY__", None);
        check("__CUDACC_TILE__", None);
    }
}
