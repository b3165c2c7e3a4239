//! For every pass, what `expand` prints has the tokens that g++, and clang++ where there is one,
//! print with `-E` for that pass alone. `tests/campaign.rs` does the same with real projects.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cuda_arch_lint::preprocess::{LineMarkers, preprocess_like_nvcc, print};
use cuda_arch_lint::project::{Answers, TranslationUnit};
use cuda_arch_lint::source::{Sources, lex};
use cuda_arch_lint::target::{Options, Passes, parse_arch_list, predefined};

/// Where each stand-in lies and what it stands in for.
const STAND_INS: &[(&str, &str)] = &[
    ("nv_target.h", "nv/target"),
    ("cuda_runtime.h", "cuda_runtime.h"),
    ("type_traits.h", "type_traits"),
    ("utility.h", "utility"),
    ("initializer_list.h", "initializer_list"),
    ("iterator.h", "iterator"),
    ("vector.h", "vector"),
    ("memory.h", "memory"),
    ("optional.h", "optional"),
    ("array.h", "array"),
    ("cuda_fp16.h", "cuda_fp16.h"),
    ("cuda_bf16.h", "cuda_bf16.h"),
    ("stdint.h", "cstdint"),
    ("stddef.h", "cstddef"),
];

/// A folder with the stand-ins under the names that programs include.
fn stand_ins() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (file, name) in STAND_INS {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preprocess/read/standins").join(file);
        let to = folder.path().join(name);
        std::fs::create_dir_all(to.parent().expect("it is in a folder")).expect("a folder can be made");
        std::fs::copy(from, to).expect("the stand-in is there");
    }
    folder
}

/// A compiler's output for pass number `pass`, without the directives that it leaves in the text.
fn judged(compiler: &str, unit: &TranslationUnit, pass: usize, folder: &Path) -> String {
    let mut macros = String::new();
    for one in predefined(&unit.passes, &Options::default()).iter().filter(|one| one.passes.has(pass)) {
        let name = one.name.split('(').next().unwrap_or_default();
        macros += &format!("#undef {name}\n#define {} {}\n", one.name, one.value);
    }
    let prelude = folder.join(format!("predefined-{pass}.h"));
    std::fs::write(&prelude, macros).expect("the temporary folder can be written");
    let mut command = Command::new(compiler);
    command.args(["-E", "-P", "-w", "-x", "c++", "-std=gnu++17", "-nostdinc", "-undef", "-imacros"]);
    command.arg(prelude);
    for directory in &unit.search.directories {
        command.arg("-I").arg(directory);
    }
    for directory in &unit.search.embed {
        command.arg(format!("--embed-dir={}", directory.display()));
    }
    command.arg("-I").arg(folder).args(["-include", "cuda_runtime.h"]).arg(&unit.main);
    let output = command.output().unwrap_or_else(|error| panic!("failed to run {compiler}: {error}"));
    String::from_utf8(output.stdout).expect("the sources are UTF-8")
}

/// The tokens of what a preprocessor prints, without the directives it passes on.
fn tokens(printed: &str) -> Vec<&'static str> {
    let text: String = printed.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
    lex(&text).iter().map(|token| token.text.as_str()).collect()
}

/// g++, which must be there, and a clang++ that says it is one.
fn compilers() -> Vec<&'static str> {
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let clang = ["clang++", "clang++-19"].iter().find(is_there).copied();
    std::iter::once("g++").chain(clang).collect()
}

fn check(file: &str) {
    check_with(&compilers(), file);
}

fn check_with(compilers: &[&str], file: &str) {
    check_unit(compilers, file, |_| {});
}

fn check_unit(compilers: &[&str], file: &str, configure: impl Fn(&mut TranslationUnit)) {
    let base = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/preprocess");
    let passes = Passes::new(&parse_arch_list("75,80,90a").expect("a good list")).expect("few passes");
    let mut unit = TranslationUnit::new(&base.join(file), passes);
    unit.search.directories = vec![base.join("next"), base.clone()];
    configure(&mut unit);
    let sources = Sources::new();
    let preprocessed = preprocess_like_nvcc(&unit, &sources, &Arc::default());
    let folder = stand_ins();
    for (pass, name) in unit.passes.list().iter().enumerate() {
        let printed = print(&preprocessed, pass, LineMarkers::LeftOut, &sources);
        let ours = tokens(&printed);
        assert!(!ours.is_empty(), "{file} has tokens");
        for compiler in compilers {
            let judged = judged(compiler, &unit, pass, folder.path());
            compare(&format!("{file}, {name}, {compiler}"), &ours, &tokens(&judged));
        }
    }
}

fn compare(what: &str, ours: &[&str], theirs: &[&str]) {
    let same = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let around = |tokens: &[&str]| tokens[same.saturating_sub(8)..tokens.len().min(same + 8)].join(" ");
    assert!(
        ours.len() == theirs.len() && same == ours.len(),
        "{what}, token {same}\n  ours:   {}\n  theirs: {}",
        around(ours),
        around(theirs),
    );
}

#[test]
fn rescanning() {
    check("rescan.cu");
}

#[test]
fn stringizing_pasting_and_splices() {
    check("text.cu");
}

#[test]
fn variadic_macros() {
    check("variadic.cu");
}

#[test]
fn controlling_expressions() {
    check("evaluate.cu");
}

#[test]
fn passes_that_part_inside_expansions() {
    check("forks.cu");
}

#[test]
fn includes_under_a_set_of_passes() {
    check("include.cu");
}

#[test]
fn files_as_numbers() {
    // GCC has it from 15 on.
    let clang: Vec<_> = compilers().into_iter().filter(|name| *name != "g++").collect();
    check_unit(&clang, "embed.cu", |unit| {
        unit.search.embed = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preprocess/embedded")];
        let names = std::iter::once("__has_embed".to_string()).collect();
        unit.answers = Some(Arc::new(Answers { names, ..Answers::default() }));
    });
}

#[test]
fn the_target_header() {
    check("nv_target.cu");
}

#[test]
fn what_gcc_does_in_its_own_way() {
    check_with(&["g++"], "gcc.cu");
}

#[test]
fn pragmas_and_lines() {
    check("pragma.cu");
}
