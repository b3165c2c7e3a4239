//! Feature checks, `__has_builtin` and its like: the values that known compilers give them.
//!
//! For units whose own compiler was asked, [`Answers`](crate::project::Answers) have the values instead.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::source::{Symbol, sym};
use crate::target::{HostCompiler, Options};

/// The feature checks of GCC 12.
const GCC_CHECKS: &[Symbol] =
    &[sym::HAS_BUILTIN, sym::HAS_ATTRIBUTE, sym::HAS_CPP_ATTRIBUTE, sym::HAS_C_ATTRIBUTE];

/// The feature checks of MSVC.
const MSVC_CHECKS: &[Symbol] = &[sym::HAS_CPP_ATTRIBUTE];

/// The feature checks of any compiler, other than those for headers: clang 19 has all of them.
pub(crate) const FEATURE_CHECKS: &[Symbol] = &[
    sym::HAS_BUILTIN,
    sym::HAS_ATTRIBUTE,
    sym::HAS_CPP_ATTRIBUTE,
    sym::HAS_C_ATTRIBUTE,
    sym::HAS_FEATURE,
    sym::HAS_EXTENSION,
    sym::HAS_WARNING,
    sym::HAS_DECLSPEC_ATTRIBUTE,
    sym::BUILDING_MODULE,
    sym::IS_IDENTIFIER,
    sym::HAS_EMBED,
];

/// The feature checks of the compiler that preprocesses under these options.
pub(crate) fn checks_of(options: &Options) -> &'static [Symbol] {
    match options.preprocessor() {
        HostCompiler::Gcc11 | HostCompiler::Gcc12 => GCC_CHECKS,
        HostCompiler::Clang19 => FEATURE_CHECKS,
        HostCompiler::Msvc => MSVC_CHECKS,
    }
}

/// The value that this compiler gives a feature check.
pub(crate) fn value(options: &Options, check: Symbol, name: &str) -> i64 {
    match (options.preprocessor(), check) {
        (HostCompiler::Clang19, _) if is_off(options, name) => 0,
        (HostCompiler::Clang19, _) => clang(check, name),
        (_, sym::HAS_BUILTIN) => i64::from(has_builtin(name)),
        _ => attribute(name),
    }
}

/// Whether it is a language feature that an option turns off.
fn is_off(options: &Options, name: &str) -> bool {
    let feature = match name {
        "cxx_exceptions" => "exceptions",
        "cxx_rtti" => "rtti",
        _ => return false,
    };
    let said = options.flags.iter().rev().find_map(|flag| {
        let flag = flag.strip_prefix("-f")?;
        let on = flag.strip_prefix("no-");
        (on.unwrap_or(flag) == feature).then_some(on.is_some())
    });
    said == Some(true)
}

/// The feature checks that headers make, with clang 19's value for x86-64 Linux where it is not the usual one.
static CLANG: LazyLock<FxHashMap<&str, i64>> = LazyLock::new(|| {
    let rows = include_str!("clang19-answers.tsv").lines().filter_map(|row| row.split_once('\t'));
    rows.filter_map(|(question, value)| Some((question, value.parse().ok()?))).collect()
});

fn clang(question: Symbol, name: &str) -> i64 {
    // Attributes and features may be written with underscores around them.
    let bare = name.trim_start_matches("__").trim_end_matches("__");
    let names = [name.to_string(), bare.to_string(), format!("__{bare}__")];
    let found = names.iter().find_map(|name| CLANG.get(format!("{question}({name})").as_str()));
    match (found, question) {
        (Some(value), _) => *value,
        (None, sym::IS_IDENTIFIER) => 1,
        (None, sym::HAS_BUILTIN) => i64::from(name.starts_with("__builtin_ia32_")),
        (None, sym::HAS_ATTRIBUTE | sym::HAS_CPP_ATTRIBUTE) => attribute(name),
        _ => 0,
    }
}

/// The builtins that GCC 12 has on x86-64, sorted, without the vector instructions.
static BUILTINS: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("gcc12-builtins.txt").lines().collect());

fn has_builtin(name: &str) -> bool {
    name.starts_with("__builtin_ia32_") || BUILTINS.binary_search(&name).is_ok()
}

/// The value of GCC 12's `__has_cpp_attribute` and `__has_attribute`.
fn attribute(name: &str) -> i64 {
    let bare = |name: &str| name.trim_start_matches("__").trim_end_matches("__").to_string();
    let (scope, name) = name.split_once("::").map_or((None, name), |(scope, name)| (Some(bare(scope)), name));
    match (scope.as_deref(), bare(name).as_str()) {
        (None, "noreturn") => 200_809,
        (None, "deprecated") => 201_309,
        (None, "maybe_unused" | "fallthrough") => 201_603,
        (None, "nodiscard") => 201_907,
        (None, "likely" | "unlikely" | "no_unique_address") => 201_803,
        (Some("gnu"), "noreturn" | "deprecated" | "fallthrough") => 1,
        (None | Some("gnu"), name) => i64::from(GNU_ATTRIBUTES.contains(&name)),
        _ => 0,
    }
}

/// GCC 12's own attributes that headers ask for.
const GNU_ATTRIBUTES: &[&str] = &[
    "abi_tag",
    "access",
    "alias",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cleanup",
    "cold",
    "common",
    "const",
    "constructor",
    "copy",
    "destructor",
    "error",
    "externally_visible",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "ifunc",
    "init_priority",
    "leaf",
    "malloc",
    "may_alias",
    "mode",
    "no_icf",
    "no_instrument_function",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_protector",
    "noclone",
    "noinit",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "optimize",
    "packed",
    "patchable_function_entry",
    "persistent",
    "pure",
    "retain",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "simd",
    "stack_protect",
    "symver",
    "target",
    "target_clones",
    "tls_model",
    "transparent_union",
    "unavailable",
    "unused",
    "used",
    "vector_size",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "weak",
    "weakref",
];

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn clang_says_what_is_written_of_it() {
        let Some(clang) = ["clang++-19", "clang++"].iter().find(|name| is_clang_19(name)) else { return };
        // A value is asked bit by bit: outside of conditions clang gives none.
        let mut text = String::new();
        for (question, _) in CLANG.iter() {
            for bit in 0..18 {
                text += &format!("#if ({question} >> {bit}) & 1\n\"{question}\" {bit}\n#endif\n");
            }
        }
        let arguments = ["-E", "-P", "-w", "-x", "c++", "--target=x86_64-linux-gnu", "-"];
        let mut child =
            Command::new(clang).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let mut said: FxHashMap<&str, i64> = CLANG.keys().map(|question| (*question, 0)).collect();
        for line in output.lines().filter(|line| !line.is_empty()) {
            let (question, bit) = line.rsplit_once(' ').unwrap();
            *said.get_mut(question.trim_matches('"')).unwrap() |= 1 << bit.parse::<u32>().unwrap();
        }
        let wrong: Vec<_> = CLANG.iter().filter(|(question, value)| said[**question] != **value).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(CLANG.len() > 1000);
    }

    fn is_clang_19(program: &str) -> bool {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("version 19."))
    }

    #[test]
    fn each_compiler_has_its_own_answers() {
        let mut options = Options::default();
        let ask = |options: &Options, question, name: &str| {
            checks_of(options).contains(&question).then(|| value(options, question, name))
        };
        assert_eq!(ask(&options, sym::HAS_BUILTIN, "__builtin_expect"), Some(1));
        assert_eq!(ask(&options, sym::HAS_FEATURE, "cxx_exceptions"), None);
        assert_eq!(ask(&options, sym::HAS_CPP_ATTRIBUTE, "nodiscard"), Some(201_907));
        options.host = HostCompiler::Clang19;
        assert_eq!(ask(&options, sym::HAS_BUILTIN, "__builtin_assume"), Some(1));
        assert_eq!(ask(&options, sym::HAS_FEATURE, "cxx_exceptions"), Some(1));
        options.flags = vec!["-fno-exceptions".into()];
        assert_eq!(ask(&options, sym::HAS_FEATURE, "cxx_exceptions"), Some(0));
        assert_eq!(ask(&options, sym::HAS_FEATURE, "cxx_rtti"), Some(1));
        assert_eq!(ask(&options, sym::IS_IDENTIFIER, "some_name"), Some(1));
        assert_eq!(ask(&options, sym::IS_IDENTIFIER, "__is_same"), Some(0));
        assert_eq!(ask(&options, sym::HAS_ATTRIBUTE, "always_inline"), Some(1));
        options.host = HostCompiler::Msvc;
        assert_eq!(ask(&options, sym::HAS_BUILTIN, "__builtin_expect"), None);
        assert_eq!(ask(&options, sym::HAS_CPP_ATTRIBUTE, "noreturn"), Some(200_809));
    }
}
