//! Headers are found where g++ finds them: its rules for the order of directories, and the
//! directories it has of its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cuda_arch_lint::preprocess::preprocess;
use cuda_arch_lint::project::{Headers, Settings, discover};
use cuda_arch_lint::source::{Sources, lex};

/// The text of each search path's files, which tells the file that was read.
const FILES: &[(&str, &str)] = &[
    ("main.cu", "#include <x.h>\n#include \"x.h\"\n#include <y.h>\n#include \"z.h\"\n#include <w.h>\nM\n"),
    ("x.h", "beside_x\n"),
    ("a/x.h", "a_x\n#include_next <x.h>\n"),
    ("b/x.h", "b_x\n#include_next \"x.h\"\n"),
    ("c/x.h", "c_x\n"),
    ("a/y.h", "a_y\n#include \"w.h\"\n#include_next <y.h>\n"),
    ("c/y.h", "c_y\n"),
    ("b/z.h", "b_z\n#include_next <z.h>\n"),
    ("c/z.h", "c_z\n"),
    ("a/w.h", "a_w\n"),
    ("c/w.h", "c_w\n"),
    ("d/w.h", "d_w\n#include_next <w.h>\n"),
    ("macros.h", "#define M from_macros\nleft out\n#include \"more.h\"\n"),
    ("more.h", "left out too\n#define M2\n"),
    ("forced.h", "forced M\n"),
];

/// Options, and the text of every pass of `main.cu` as g++ and we see it.
fn check(options: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in FILES {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("the folder can be written");
    }
    let root = folder.path().canonicalize().expect("it is there");
    let words: Vec<String> =
        options.split_whitespace().map(|word| word.replace("@", &format!("{}/", root.display()))).collect();
    let main = root.join("main.cu");

    let mut command = Command::new("g++");
    command.args(["-E", "-P", "-w", "-nostdinc", "-x", "c++"]).args(&words).arg(&main);
    let output = command.output().expect("this test needs g++ on the path");
    let theirs = String::from_utf8(output.stdout).expect("the files are ASCII");
    let theirs: Vec<String> = lex(&theirs).iter().map(|token| token.text.as_str().to_string()).collect();

    let settings = Settings { targets: vec!["80".into()], options: words, ..Settings::default() };
    let sources = Sources::new();
    let mut project = discover(&[main], &settings, &sources).expect("a project");
    // The project's own headers are what g++ does not know of.
    project.units[0].search.project_headers = Default::default();
    let preprocessed = preprocess(&project.units[0], &sources, &Arc::default());
    let ours: Vec<String> = preprocessed
        .tokens()
        .iter()
        .filter(|token| token.passes.has(0) && !sources.file(token.at.file).built_in())
        .map(|token| token.text.as_str().to_string())
        .collect();
    assert_eq!(ours, theirs, "g++ {options}");
}

#[test]
fn directories_are_searched_in_gcc_s_order() {
    check("-I @a -I @c");
    check("-I @a -isystem @c");
    check("-isystem @c -I @a");
    check("-idirafter @c -isystem @b -I @a");
    check("-iquote @b -I @a -I @c");
    check("-iquote @b -iquote @a -isystem @c");
    check("-I @d -I @a -isystem @c");
}

#[test]
fn a_directory_named_twice_counts_once() {
    check("-I @a -I @c -I @a");
    check("-I @c -isystem @a -isystem @c");
    check("-I @a -isystem @a -isystem @c");
    check("-iquote @a -I @a -I @c");
    check("-iquote @b -I @a -I @b -I @c");
    check("-I @missing -I @a -I @c");
    check("-isystem @a -idirafter @a -idirafter @c");
    check("-I @a/../a -I @a -I @c");
}

#[test]
fn files_are_read_first_for_their_macros_or_their_text() {
    check("-I @a -I @c -imacros @macros.h");
    check("-I @a -I @c -include @forced.h -imacros @macros.h");
    check("-I @a -I @c -include forced.h -I @");
    check("-I @a -I @c -include @forced.h -include @more.h");
}

#[test]
fn a_sysroot_is_what_an_equals_sign_means() {
    check("--sysroot @c -I =/../a -isystem =");
}

/// A compiler's own directories as `-v` lists them, resolved.
fn own_directories(program: &str, options: &[&str]) -> Option<Vec<PathBuf>> {
    let mut command = Command::new(program);
    let output = command.args(options).args(["-E", "-v", "-x", "c++", "/dev/null"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let listed = text.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1);
    let listed = listed.take_while(|line| line.starts_with(' ')).map(|line| PathBuf::from(line.trim()));
    Some(listed.map(|path| path.canonicalize().unwrap_or(path)).filter(|path| path.is_dir()).collect())
}

#[test]
fn a_compiler_s_own_directories_are_found_without_running_it() {
    for (program, options) in [
        ("g++", ""),
        ("g++-11", ""),
        ("g++-12", ""),
        ("aarch64-linux-gnu-g++", ""),
        ("clang++-19", "--target=x86_64-linux-gnu"),
    ] {
        let options: Vec<&str> = options.split_whitespace().collect();
        let Some(theirs) = own_directories(program, &options) else {
            assert_ne!(program, "g++", "this test needs g++ on the path");
            eprintln!("{program} is not here");
            continue;
        };
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let source = folder.path().join("a.cu");
        std::fs::write(&source, "").expect("the folder can be written");
        let settings = Settings {
            options: vec!["-ccbin".into(), program.into()],
            // Nothing is there, so that no toolkit's directories are among them.
            headers: Headers::Installed,
            cuda_version: Some("11.0".into()),
            ..Settings::default()
        };
        let project = discover(&[source], &settings, &Sources::new()).expect("a project");
        let ours = project.units[0].search.system.iter();
        let ours: Vec<PathBuf> = ours.map(|path| path.canonicalize().unwrap_or(path.clone())).collect();
        assert_eq!(ours, theirs, "{program}");
    }
}

#[test]
fn a_compiler_that_is_asked_says_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let source = folder.path().join("a.cu");
    std::fs::write(&source, "").expect("the folder can be written");
    let search = |compiler: Option<&str>| {
        let settings = Settings {
            compiler: compiler.map(PathBuf::from),
            headers: Headers::Installed,
            cuda_version: Some("11.0".into()),
            ..Settings::default()
        };
        let mut project =
            discover(std::slice::from_ref(&source), &settings, &Sources::new()).expect("a project");
        let unit = project.units.remove(0);
        let resolved = |path: &PathBuf| Path::canonicalize(path).unwrap_or(path.clone());
        (unit.search.system.iter().map(resolved).collect::<Vec<_>>(), unit.options.asked)
    };
    let (asked, macros) = search(Some("g++"));
    assert_eq!(asked, search(None).0);
    let macros = macros.expect("g++ was asked");
    assert!(macros.contains_key("__GNUC__") && macros.contains_key("__INT64_C(c)"));
}
