//! The order of the `mod` lines of `src/lib.rs`, and of every folder below it, is the order in which the sources
//! are read: a module uses only modules above it.
//!
//! A use is a path, in code or in what a macro reads, that leads to another file of the crate, an `impl` block on
//! such a file's type, and the call of a method that only such files define.
//!
//! `LAYERING=all cargo test --test all layering::a_module_uses -- --nocapture` prints by folder what breaks the law, the
//! circles, and an order that would hold; `LAYERING=facts` does for `facts` and the folders in it.

mod law;
mod names;
mod report;
mod tree;
mod uses;

use std::fs;
use std::path::{Path, PathBuf};

use law::{Circle, Exceptions, Law};
use names::Names;
use tree::{Texts, Tree};
use uses::Use;

/// Modules that may use less than what stands above them.
const NARROWER: &[(&str, &[&str])] = &[("report", &["source", "target", "finding", "rules", "catalog"])];

/// Circles that are left, each with the reason why that is better than to cut it. At most three.
const CIRCLES: &[Circle] = &[
    Circle {
        folder: "facts::lower",
        members: &[
            "declarations",
            "names",
            "types",
            "templates",
            "constraints",
            "declarators",
            "expressions",
            "argument",
            "initializers",
            "operands",
            "closure",
            "classes",
            "bodies",
            "statements",
        ],
        reason: "the grammar is recursive: expressions hold types, types hold expressions, and lambdas hold bodies",
    },
    Circle {
        folder: "facts::meaning",
        members: &[
            "namespaces",
            "lookup",
            "kept_answers",
            "written_types",
            "typing",
            "categories",
            "eval",
            "expressions",
            "operations",
            "overloaded",
            "statements",
            "initialize",
            "converting",
            "objects",
            "constexpr_calls",
            "bind",
            "deduce",
            "unify",
            "references",
            "overload",
            "conversions",
            "specialization",
            "definitions",
            "constraints",
            "guides",
            "layout",
            "closure",
            "copying",
            "assignable",
            "constructible",
            "traits",
            "operators",
            "built_in",
            "throwing",
        ],
        reason: "a name, its type, its value and the overload that it means are found by asking for one another",
    },
    Circle {
        folder: "facts::instantiate",
        members: &[
            "bodies",
            "calls",
            "functions",
            "objects",
            "initialization",
            "parts",
            "destruction",
            "conversions",
            "addresses",
            "operators",
        ],
        reason: "a body calls functions, whose bodies are walked in turn",
    },
];

/// Methods of types of the standard library and of other crates that types of this crate have too: which of them a
/// call means is not seen from its name.
const ELSEWHERE: &[&str] = &[
    "add", "all", "any", "as_str", "bytes", "children", "clear", "contains", "copy", "count", "each_mut",
    "exists", "expect", "extend", "filter", "find", "finish", "fold", "get", "insert", "is", "is_empty",
    "iter", "kind", "label", "last", "len", "lines", "map", "matches", "next", "or", "parse", "path",
    "position", "push", "range", "read", "replace", "retain", "section", "send", "set", "sort", "sum",
    "symbols", "take", "wait", "walk", "with",
];

const EXCEPTIONS: Exceptions = Exceptions { narrower: NARROWER, circles: CIRCLES, elsewhere: ELSEWHERE };

fn source_root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    package.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from).join("src")
}

/// The sources of the library.
fn texts() -> Texts {
    let mut texts = Texts::new();
    add_texts(&source_root(), &mut texts);
    texts.remove(Path::new("main.rs"));
    texts
}

fn add_texts(directory: &Path, texts: &mut Texts) {
    for entry in fs::read_dir(directory).expect("a directory of sources") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            add_texts(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix(source_root()).expect("it was found there").to_path_buf();
            texts.insert(below, fs::read_to_string(&path).expect("a readable source"));
        }
    }
}

/// The uses in a crate.
fn uses(tree: &Tree) -> Vec<Use> {
    uses::uses(tree, &Names::new(tree))
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let tree = Tree::new(&texts(), "lib.rs");
    assert!(tree.modules[0].children.len() > 10, "lib.rs lists the modules one a line");
    let uses = uses(&tree);
    let law = Law::new(&tree, &uses, &EXCEPTIONS);
    if let Ok(folder) = std::env::var("LAYERING") {
        println!("{}", report::report(&tree, &law, &folder));
    }
    let violations = law.violations();
    assert!(violations.is_empty(), "{} violations:\n{}", violations.len(), violations.join("\n"));
}

/// Inside a folder, files are named by `super::`; what is in another folder, by `crate::`.
#[test]
fn nothing_reaches_around_the_module_paths() {
    let tree = Tree::new(&texts(), "lib.rs");
    let mut around = Vec::new();
    for used in uses(&tree).into_iter().filter(|used| used.what.starts_with("super::")) {
        let has_files = !tree.files_of(used.from).is_empty();
        let folder = if has_files { Some(used.from) } else { tree.modules[used.from].parent };
        let is_inside = used.to.iter().any(|to| tree.ancestry(*to).any(|above| Some(above) == folder));
        if !is_inside {
            around.push(format!(
                "src/{}:{}: {}",
                tree.modules[used.from].file.display(),
                used.line,
                used.what
            ));
        }
    }
    assert!(around.is_empty(), "other folders are named by `crate::`:\n{}", around.join("\n"));
}

#[test]
fn every_file_belongs_to_the_crate_and_says_what_it_is() {
    let texts = texts();
    let tree = Tree::new(&texts, "lib.rs");
    assert!(tree.orphans.is_empty(), "no `mod` line leads to {:?}", tree.orphans);
    for (path, text) in &texts {
        assert!(text.starts_with("//! "), "{}: opens with `//!`", path.display());
        assert!(!text.starts_with("//! Placeholder"), "{}: says nothing yet", path.display());
    }
}

/// Every folder's own file is read to its end, what stands behind its tests included.
#[test]
fn an_upward_use_at_the_end_of_any_folder_is_found() {
    let texts = texts();
    let tree = Tree::new(&texts, "lib.rs");
    let cli = tree.modules[0].children.last().expect("lib.rs lists modules");
    let folders: Vec<_> = (1..tree.modules.len())
        .filter(|module| !tree.files_of(*module).is_empty() && module != cli)
        .map(|module| &tree.modules[module].file)
        .collect();
    let mut planted = texts.clone();
    for file in &folders {
        let text = planted.get_mut(*file).expect("a file of the tree");
        text.push_str("\nuse crate::cli::run as planted;\n");
    }
    let tree = Tree::new(&planted, "lib.rs");
    let uses = uses(&tree);
    let violations = Law::new(&tree, &uses, &EXCEPTIONS).violations();
    for file in folders {
        let place = format!("src/{}:", file.display());
        let is_planted = |found: &&String| found.starts_with(&place) && found.ends_with(": crate::cli::run");
        assert_eq!(violations.iter().filter(is_planted).count(), 1, "{place}");
    }
}

/// The violations in a crate of these files, of which `lib.rs` says `mod a; mod b; mod c;`.
fn violations(files: &[(&str, &str)], exceptions: &Exceptions) -> Vec<String> {
    let mut texts: Texts = [("lib.rs", "mod a; mod b; mod c;"), ("a.rs", ""), ("b.rs", ""), ("c.rs", "")]
        .map(|(path, text)| (path.into(), text.to_string()))
        .into();
    for (path, text) in files {
        // A folder in the place of a file.
        if let Some(folder) = path.strip_suffix("/mod.rs") {
            texts.remove(Path::new(&format!("{folder}.rs")));
        }
        texts.insert(path.into(), (*text).to_string());
    }
    let tree = Tree::new(&texts, "lib.rs");
    let uses = uses(&tree);
    Law::new(&tree, &uses, exceptions).violations()
}

const NO_EXCEPTIONS: Exceptions = Exceptions { narrower: &[], circles: &[], elsewhere: &[] };

/// `files` break the law once, in these words.
#[track_caller]
fn breaks(files: &[(&str, &str)], words: &str) {
    let violations = violations(files, &NO_EXCEPTIONS);
    assert_eq!(violations, [words]);
}

#[track_caller]
fn holds(files: &[(&str, &str)]) {
    assert_eq!(violations(files, &NO_EXCEPTIONS), [""; 0]);
}

#[test]
fn imports_are_uses() {
    holds(&[("b.rs", "use crate::a::X; // crate::c")]);
    holds(&[("b.rs", "use crate::{a::{X, c}, b::Y}; use std::c;")]);
    breaks(&[("b.rs", "use crate::c::X;")], "src/b.rs:1: in lib.rs, `b` may not use `c`: crate::c::X");
    breaks(
        &[("b.rs", "use crate::{a::{X, c}, c::Y};")],
        "src/b.rs:1: in lib.rs, `b` may not use `c`: crate::c::Y",
    );
    breaks(&[("b.rs", "use super::c as d;")], "src/b.rs:1: in lib.rs, `b` may not use `c`: super::c");
    breaks(
        &[("b.rs", "fn f() {\n use crate::c::*;\n }")],
        "src/b.rs:2: in lib.rs, `b` may not use `c`: crate::c",
    );
}

#[test]
fn paths_are_uses_wherever_they_stand() {
    for code in [
        "fn f() { crate::c::X::new() }",
        "fn f() { super::c::X::new() }",
        "use crate as all; fn f() { all::c::X::new() }",
        "fn f(_: Option<crate::c::X>) {}",
        "fn f() { if let crate::c::X { y } = z {} }",
        "fn f() { matches!(x, crate::c::X { .. }) }",
        "fn f() { vec![1, crate::c::X::new()]; }",
        "fn f() { quote! { use crate::{a, c::X}; } }",
        "#[derive(Parser)] struct S { #[arg(value_parser = crate::c::x)] y: u32 }",
        "macro_rules! m { () => { $crate::c::X } }",
        "impl crate::c::X { fn f() {} }",
        "impl<T> Iterator for crate::c::X<T> {}",
    ] {
        let found = violations(&[("b.rs", code), ("c.rs", "pub struct X;")], &NO_EXCEPTIONS);
        assert_eq!(found.len(), 1, "{code}: {found:?}");
        assert!(found[0].starts_with("src/b.rs:1: in lib.rs, `b` may not use `c`: "), "{code}: {found:?}");
    }
    holds(&[(
        "b.rs",
        "/// [`crate::c::X`]\n#[doc = \"crate::c\"] pub(in crate) fn f() { \"crate::c::X\"; }",
    )]);
}

#[test]
fn a_file_is_read_to_its_end() {
    let folder = "mod inner;\n#[cfg(test)]\nmod tests;\n\nuse crate::c::X;\n";
    let files = [("b/mod.rs", folder), ("b/inner.rs", ""), ("b/tests.rs", "use crate::c;")];
    breaks(&files, "src/b/mod.rs:5: in lib.rs, `b` may not use `c`: crate::c::X");
}

#[test]
fn code_of_tests_may_use_everything() {
    holds(&[(
        "b.rs",
        "#[cfg(test)] mod tests { use crate::c; } #[cfg(test)] use crate::c; #[test] fn f() { crate::c::g() }",
    )]);
    holds(&[("b.rs", "#[cfg(all(test, unix))] fn f() { crate::c::g() }")]);
    holds(&[(
        "b.rs",
        "impl X { #[cfg(test)] fn f() { crate::c::g() } } fn f() { #[cfg(test)] crate::c::g(); }",
    )]);
    let other = "#[cfg(any(test, unix))] fn f() { crate::c::g() }";
    breaks(&[("b.rs", other)], "src/b.rs:1: in lib.rs, `b` may not use `c`: crate::c::g");
}

#[test]
fn what_a_method_call_means_is_a_use() {
    let defined = "pub struct X; impl X { pub fn shine(&self) {} pub fn new() -> X { X } }";
    let declared = "pub trait Shine { fn shine(&self); }";
    let called = "fn f(x: &dyn Any) { x.shine() }";
    let sentence = "src/b.rs:1: in lib.rs, `b` may not use `c`: .shine()";
    breaks(&[("b.rs", called), ("c.rs", defined)], sentence);
    breaks(&[("b.rs", called), ("c.rs", declared)], sentence);
    breaks(&[("b.rs", "fn f() { assert!(x.shine()); }"), ("c.rs", defined)], sentence);
    breaks(&[("b.rs", "fn f() { assert!(x.shine::<u8>()); }"), ("c.rs", defined)], sentence);
    // A method of a type that stands above, in a block that stands below.
    let split = [("a.rs", "pub struct X;"), ("c.rs", "impl crate::a::X { fn shine(&self) {} }")];
    breaks(&[split[0], split[1], ("b.rs", called)], sentence);
    let own = "impl crate::a::X { fn f(&self) { self.shine() } }";
    breaks(&[split[0], split[1], ("b.rs", own)], "src/b.rs:1: in lib.rs, `b` may not use `c`: Self::shine");
    let path = "fn f(x: crate::a::X) { crate::a::X::shine(&x) }";
    breaks(
        &[split[0], split[1], ("b.rs", path)],
        "src/b.rs:1: in lib.rs, `b` may not use `c`: crate::a::X::shine",
    );
}

#[test]
fn a_method_that_others_define_too_is_no_use() {
    let defined = "pub struct X; impl X { pub fn shine(&self) {} pub fn new() -> X { X } }";
    let called = "fn f(x: &dyn Any) { x.shine() }";
    holds(&[("b.rs", called), ("c.rs", defined), ("a.rs", defined)]);
    holds(&[("b.rs", &format!("{defined} {called}")), ("c.rs", defined)]);
    // No method, a field, a test's method, a method of a trait from elsewhere.
    holds(&[("b.rs", "fn f(x: &dyn Any) { x.new(); x.shine; m!(x.shine, 0..shine()); }"), ("c.rs", defined)]);
    holds(&[
        ("b.rs", called),
        ("c.rs", "impl X { #[cfg(test)] fn shine(&self) {} } impl Star for X { fn shine(&self) {} }"),
    ]);
    let elsewhere = Exceptions { elsewhere: &["shine", "idle"], ..NO_EXCEPTIONS };
    let found = violations(&[("b.rs", called), ("c.rs", defined)], &elsewhere);
    assert_eq!(found, ["`idle` excuses nothing: it can leave the list of methods from elsewhere"]);
}

#[test]
fn the_law_holds_in_every_folder() {
    let inner = |first: &'static str, second: &'static str| {
        [
            ("b/mod.rs", "mod first; mod second; pub use second::X; struct Own;"),
            ("b/first.rs", first),
            ("b/second.rs", second),
        ]
    };
    holds(&inner("", "use super::first::Y; use crate::b::first::Z;"));
    breaks(
        &inner("use super::second::X;", ""),
        "src/b/first.rs:1: in b, `first` may not use `second`: super::second::X",
    );
    breaks(&inner("use super::X;", ""), "src/b/first.rs:1: in b, `first` may not use `second`: super::X");
    breaks(
        &inner("use crate::b::X;", ""),
        "src/b/first.rs:1: in b, `first` may not use `second`: crate::b::X",
    );
    breaks(
        &inner("use super::Own;", ""),
        "src/b/first.rs:1: `first` may not use what b itself defines: super::Own",
    );
    breaks(
        &inner("use super::*; type T = Own;", ""),
        "src/b/first.rs:1: `first` may not use what b itself defines: Own",
    );
    breaks(&inner("", "use crate::c::Y;"), "src/b/second.rs:1: in lib.rs, `b` may not use `c`: crate::c::Y");
    let mut deeper = inner("mod under;", "").to_vec();
    deeper.push(("b/first/under.rs", "use super::super::second::X;"));
    breaks(&deeper, "src/b/first/under.rs:1: in b, `first` may not use `second`: super::super::second::X");
}

#[test]
fn a_module_may_be_held_to_less_than_what_stands_above_it() {
    let narrower = Exceptions { narrower: &[("c", &["a"])], ..NO_EXCEPTIONS };
    assert_eq!(violations(&[("c.rs", "use crate::a::X;")], &narrower), [""; 0]);
    let found = violations(&[("c.rs", "use crate::b::X;")], &narrower);
    assert_eq!(found, ["src/c.rs:1: in lib.rs, `c` may not use `b`: crate::b::X"]);
}

#[test]
fn a_circle_is_left_only_while_it_is_one() {
    let circle =
        |members: &'static [&'static str]| Circle { folder: "lib.rs", members, reason: "they recurse" };
    let files = [("a.rs", "use crate::c::X;"), ("c.rs", "use crate::a::Y; pub struct X;")];
    let left = [circle(&["a", "c"])];
    assert_eq!(violations(&files, &Exceptions { circles: &left, ..NO_EXCEPTIONS }), [""; 0]);
    let found = violations(&files[1..], &Exceptions { circles: &left, ..NO_EXCEPTIONS });
    assert_eq!(found, ["lib.rs: a, c is no circle"]);
    let larger = [circle(&["a", "b", "c"])];
    let found = violations(&files, &Exceptions { circles: &larger, ..NO_EXCEPTIONS });
    assert_eq!(found, ["lib.rs: a, b, c is no circle"]);
    assert!(CIRCLES.len() <= 3, "circles are cut, not listed");
}
