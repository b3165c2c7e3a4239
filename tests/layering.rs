//! The order of the modules in `src/lib.rs` is the order of the data: a module uses only modules
//! above it. This test reads the list and every `crate::` path in the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules that may use less than what stands above them.
const NARROWER: &[(&str, &[&str])] = &[("report", &["source", "target", "finding", "rules"])];

/// A module and the text of one of its files, comments and tests dropped.
struct File {
    path: PathBuf,
    module: String,
    code: String,
}

fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules in the order `lib.rs` lists them.
fn modules() -> Vec<String> {
    let lib = fs::read_to_string(source_root().join("lib.rs")).expect("the crate has a lib.rs");
    let names = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(String::from).collect()
}

fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory of sources") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Every file under `src/` that belongs to a module; a `tests.rs` is no code of it.
fn module_files() -> Vec<File> {
    let root = source_root();
    let file = |path: PathBuf| {
        let below = path.strip_prefix(&root).expect("it was found there");
        let module = below.components().next()?.as_os_str().to_str()?.trim_end_matches(".rs").to_string();
        let text = fs::read_to_string(&path).expect("a readable source");
        let is_code = !["lib", "main"].contains(&module.as_str()) && !path.ends_with("tests.rs");
        is_code.then(|| File { code: code_of(&text), path, module })
    };
    rust_files(&root).into_iter().filter_map(file).collect()
}

/// A source without comment lines and without its test module, which stands last.
fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first name of every `crate::` path, groups included.
fn used(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, prefix) in code.match_indices("crate::") {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(group_heads(group)),
            None => names.push(head(rest)),
        }
    }
    names
}

fn head(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first names of the paths of a group whose `{` is already read.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = vec![String::new()];
    let mut depth = 0;
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(String::new()),
            _ => {}
        }
        if depth == 0 && c != ',' {
            heads.last_mut().expect("never empty").push(c);
        }
    }
    heads.iter().map(|path| head(path.trim())).filter(|name| !name.is_empty()).collect()
}

/// What `file` uses and may not.
fn violations(file: &File, modules: &[String]) -> Vec<String> {
    let place = modules.iter().position(|module| *module == file.module);
    let Some(place) = place else {
        return vec![format!("{}: `{}` is not a module of lib.rs", file.path.display(), file.module)];
    };
    let narrower = NARROWER.iter().find(|(module, _)| *module == file.module).map(|(_, allowed)| *allowed);
    let allowed = |name: &String| {
        *name == file.module
            || match narrower {
                Some(names) => names.contains(&name.as_str()),
                None => modules[..place].contains(name),
            }
    };
    let used = used(&file.code).into_iter().filter(|name| modules.contains(name) && !allowed(name));
    used.map(|name| format!("{}: `{}` may not use `{name}`", file.path.display(), file.module)).collect()
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let modules = modules();
    assert!(modules.len() > 10, "lib.rs lists the modules one a line: {modules:?}");
    let violations: Vec<_> = module_files().iter().flat_map(|file| violations(file, &modules)).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn nothing_reaches_around_the_module_paths() {
    for file in module_files() {
        let up = if file.path.ends_with(Path::new(&file.module).join("mod.rs")) {
            "super::"
        } else {
            "super::super::"
        };
        let depth = file.path.strip_prefix(source_root()).expect("it was found there").components().count();
        assert!(
            depth > 2 || !file.code.contains(up),
            "{}: other modules are named by `crate::`",
            file.path.display()
        );
    }
}

#[test]
fn every_file_says_what_it_is() {
    for path in rust_files(&source_root()) {
        let text = fs::read_to_string(&path).expect("a readable source");
        assert!(text.starts_with("//! "), "{}: opens with `//!`", path.display());
        assert!(!text.starts_with("//! Placeholder"), "{}: says nothing yet", path.display());
    }
}

#[test]
fn the_test_itself_finds_violations() {
    let modules = ["a", "b", "c"].map(String::from);
    let check = |module: &str, code: &str| {
        let file = File { path: "x.rs".into(), module: module.into(), code: code_of(code) };
        violations(&file, &modules).len()
    };
    assert_eq!(check("b", "use crate::a::X;\n// crate::c\nfn f() { crate::b::g() }"), 0);
    assert_eq!(check("b", "use crate::{a::{X, c}, c::Y};"), 1);
    assert_eq!(check("a", "fn f() { crate::c::g() }\n#[cfg(test)]\nmod tests { use crate::b; }"), 1);
    assert_eq!(check("d", ""), 1);
}
