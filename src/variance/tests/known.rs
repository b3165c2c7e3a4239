//! What is kept of the headers of one unit changes nothing of another: units that include the same headers in other places
//! are cut and vary as each alone.

use super::*;

use crate::preprocess::{Common, Preprocessed};

/// Headers, each of which some text behind or around could cut otherwise.
const HEADERS: [(&str, &str); 12] = [
    ("plain.h", "struct Plain { int a; void run() { int run; run = a; } }; int plain(int a) { return a; }\n"),
    (
        "space.h",
        "namespace one { namespace { int hidden; } inline namespace v { template <class T> struct B { }; } }\n",
    ),
    (
        "arch.h",
        "#ifdef __CUDA_ARCH__\nint fast(float value);\n#else\nint fast(double value);\n#endif\nint after;\n",
    ),
    (
        "part.h",
        "struct Part {\n#if __CUDA_ARCH__ >= 800\n  int wide[\n#else\n  int narrow[\n#endif\n  4]; };\nusing P = Part;\n",
    ),
    (
        "split.h",
        "#ifdef __CUDA_ARCH__\nnamespace gpu { int only;\n#else\nnamespace cpu { int other; long more;\n#endif\n}\n",
    ),
    ("try.h", "struct T { T(); };\nT::T() try { } catch (...) { }\nvoid last() try { }\n"),
    ("catch.h", "catch (int) { }\nint caught;\n"),
    ("macro.h", "UNKNOWN(a, b)\nint known;\nBEGIN_SPACE template <class T> T in_space();\nEND(x)\n"),
    ("open.h", "struct Open {\n  int a;\n"),
    ("close.h", "}; int closed;\n"),
    ("head.h", "int name\n"),
    ("members.h", "int member; void method() { }\n"),
];

/// Texts that include them.
const UNITS: [&str; 14] = [
    "#include \"plain.h\"\n#include \"space.h\"\n#include \"arch.h\"\n#include \"part.h\"\n",
    "#include \"part.h\"\n#include \"arch.h\"\n#include \"space.h\"\n#include \"plain.h\"\nint main() { return fast(1); }\n",
    "namespace outer {\n#include \"plain.h\"\n#include \"space.h\"\n#include \"arch.h\"\n}\n#include \"part.h\"\n",
    "extern \"C\" {\n#include \"arch.h\"\n#include \"plain.h\"\n#include \"plain.h\"\n}\n",
    "#include \"split.h\"\n#include \"plain.h\"\n",
    "#ifdef __CUDA_ARCH__\nnamespace gpu {\n#include \"plain.h\"\n}\n#endif\n#include \"split.h\"\n",
    "#include \"try.h\"\n#include \"catch.h\"\n",
    "#include \"try.h\"\nint other;\n#include \"catch.h\"\n",
    "#include \"macro.h\"\nint next;\n",
    "#include \"macro.h\"\n{ int block; }\n#include \"plain.h\"\n",
    "#include \"open.h\"\n#include \"members.h\"\n#include \"close.h\"\n",
    "#include \"members.h\"\n#include \"open.h\"\nint b; };\n#include \"members.h\"\n",
    "static\n#include \"head.h\"\n(int a) { return a; }\n#include \"members.h\"\n",
    "#include \"head.h\"\n;\nvoid f() {\n#include \"members.h\"\n}\nint g\n#include \"close.h\"\n",
];

fn read(text: &str, common: &Arc<Common>) -> (Preprocessed, Variance) {
    let sources = Sources::new();
    read_from(&sources, text, common)
}

fn read_from(sources: &Sources, text: &str, common: &Arc<Common>) -> (Preprocessed, Variance) {
    let passes = Passes::new(&parse_arch_list("75,80").unwrap()).unwrap();
    for (name, header) in HEADERS {
        if sources.known(Path::new(name)).is_none() {
            sources.add(Path::new(name), header.to_string());
        }
    }
    sources.overlay(Path::new("a.cu"), text.to_string());
    let unit = preprocess(&TranslationUnit::new(Path::new("a.cu"), passes.clone()), sources, common);
    let found = variance(&unit, passes.all().minus(unit.stopped));
    (unit, found)
}

#[test]
fn units_with_the_same_headers_are_cut_as_each_alone() {
    let alone: Vec<_> = UNITS.iter().map(|text| read(text, &Arc::default()).1).collect();
    for start in 0..UNITS.len() {
        let (sources, common) = (Sources::new(), Arc::default());
        for number in (start..UNITS.len()).chain(0..start) {
            let (_, found) = read_from(&sources, UNITS[number], &common);
            let alone = &alone[number];
            let text = UNITS[number];
            assert_eq!(found.scopes, alone.scopes, "{start}, {text}");
            assert_eq!(found.declarations, alone.declarations, "{start}, {text}");
            assert!(found.partial.iter().eq(alone.partial.iter()), "{start}, {text}");
            let names = |one: &Variance| {
                let mut names: Vec<_> = one.varying.names().map(|name| name.as_str()).collect();
                names.sort_unstable();
                names
            };
            assert_eq!(names(&found), names(alone), "{start}, {text}");
        }
    }
}

#[test]
fn what_is_known_of_a_header_is_taken_over() {
    let (sources, common) = (Sources::new(), Arc::default());
    let known = |text: &str| -> Vec<_> {
        let (unit, found) = read_from(&sources, text, &common);
        let own = |one: &&TopDeclaration| {
            let file = unit.tokens()[one.tokens.start].at.file;
            !unit.system.contains(&file)
        };
        let own = found.declarations.iter().filter(own).map(|one| one.known.0.clone());
        own.collect()
    };
    let first = known("#include \"plain.h\"\n#include \"arch.h\"\n#include \"macro.h\"\nint last;\n");
    let again = known("#include \"macro.h\"\nnamespace n {\n#include \"arch.h\"\n}\n#include \"plain.h\"\n");
    // Two of plain.h; two versions of the function, and the variable behind them.
    let [plain, also, fast, slow, after, ..] = first.as_slice() else { panic!("{first:?}") };
    let [.., host, device, variable, struct_, function] = again.as_slice() else { panic!("{again:?}") };
    let same = [(plain, struct_), (also, function), (fast, host), (slow, device), (after, variable)];
    for (one, other) in same {
        assert!(one.is_some());
        assert_eq!(one.as_ref().map(Arc::as_ptr), other.as_ref().map(Arc::as_ptr));
    }
    assert!(first.last().is_some_and(Option::is_none), "a unit's own text is nobody else's");
    // Of a macro whose header is missing it depends on what follows where it ends.
    assert!(first[5].is_none() && again[0].is_none());
}
