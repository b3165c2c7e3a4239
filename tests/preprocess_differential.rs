//! For every pass, our tokens are the tokens of `g++ -E` run for that pass alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use cuda_arch_lint::preprocess::preprocess;
use cuda_arch_lint::project::TranslationUnit;
use cuda_arch_lint::source::{Sources, lex};
use cuda_arch_lint::target::{Options, Passes, parse_arch_list, predefined};

/// Where each stand-in lies and what it stands in for.
const STAND_INS: &[(&str, &str)] = &[
    ("nv_target.h", "nv/target"),
    ("cuda_runtime.h", "cuda_runtime.h"),
    ("type_traits.h", "type_traits"),
    ("stdint.h", "cstdint"),
    ("stddef.h", "cstddef"),
];

/// A folder with the stand-ins under the names that programs include.
fn stand_ins() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (file, name) in STAND_INS {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preprocess/standins").join(file);
        let to = folder.path().join(name);
        std::fs::create_dir_all(to.parent().expect("it is in a folder")).expect("a folder can be made");
        std::fs::copy(from, to).expect("the stand-in is there");
    }
    folder
}

/// What g++ prints for pass number `pass`, without the directives it passes on.
fn judged(unit: &TranslationUnit, pass: usize, folder: &Path) -> String {
    let mut macros = String::new();
    for one in predefined(&unit.passes, &Options::default()).iter().filter(|one| one.passes.has(pass)) {
        let name = one.name.split('(').next().unwrap_or_default();
        macros += &format!("#undef {name}\n#define {} {}\n", one.name, one.value);
    }
    let prelude = folder.join(format!("predefined-{pass}.h"));
    std::fs::write(&prelude, macros).expect("the temporary folder can be written");
    let mut command = Command::new("g++");
    command.args(["-E", "-P", "-w", "-x", "c++", "-std=gnu++17", "-nostdinc", "-undef", "-imacros"]);
    command.arg(prelude);
    for directory in &unit.search.directories {
        command.arg("-I").arg(directory);
    }
    command.arg("-I").arg(folder).args(["-include", "cuda_runtime.h"]).arg(&unit.main);
    let output = command.output().expect("this test needs g++ on the path");
    let text = String::from_utf8(output.stdout).expect("the sources are UTF-8");
    let directive = |line: &&str| line.starts_with("#pragma") || line.starts_with("#ident");
    text.split_inclusive('\n').filter(|line| !directive(line)).collect()
}

fn check(file: &str) {
    let base = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/preprocess");
    let passes = Passes::new(&parse_arch_list("75,80,90a").expect("a good list")).expect("few passes");
    let mut unit = TranslationUnit::new(&base.join(file), passes);
    unit.search.directories = vec![base.join("next"), base.clone()];
    let preprocessed = preprocess(&unit, &Sources::new());
    let folder = stand_ins();
    for (pass, name) in unit.passes.list().iter().enumerate() {
        let ours = preprocessed.tokens.iter().filter(|token| token.passes.has(pass));
        let ours: Vec<&str> = ours.map(|token| token.text.as_str()).collect();
        let theirs = lex(&judged(&unit, pass, folder.path()));
        let theirs: Vec<&str> = theirs.iter().map(|token| token.text.as_str()).collect();
        let same = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
        let around = |tokens: &[&str]| tokens[same.saturating_sub(8)..tokens.len().min(same + 8)].join(" ");
        assert!(
            ours.len() == theirs.len() && same == ours.len(),
            "{file}, {name}, token {same}\n  ours: {}\n  g++:  {}",
            around(&ours),
            around(&theirs),
        );
        assert!(!ours.is_empty(), "{file} has tokens");
    }
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
fn the_target_header() {
    check("nv_target.cu");
}

#[test]
fn pragmas_and_lines() {
    check("pragma.cu");
}
