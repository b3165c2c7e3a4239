//! The preprocessor, feature by feature.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::project::{Answers, Define, TranslationUnit};
use crate::source::Sources;
use crate::target::{HostCompiler, Machine, PassSet, Passes, parse_arch_list};

use super::{PpToken, Preprocessed, preprocess};

/// Preprocesses the first file, the others beside it.
fn run(files: &[(&str, &str)], archs: &str) -> (TranslationUnit, Preprocessed) {
    run_with(files, archs, |_| {})
}

/// The same for a unit that `configure` has changed.
fn run_with(
    files: &[(&str, &str)],
    archs: &str,
    configure: impl FnOnce(&mut TranslationUnit),
) -> (TranslationUnit, Preprocessed) {
    let sources = Sources::new();
    for (name, text) in files {
        sources.add(Path::new(name), (*text).to_string());
    }
    let passes = Passes::new(&parse_arch_list(archs).unwrap()).unwrap();
    let mut unit = TranslationUnit::new(Path::new(files[0].0), passes);
    configure(&mut unit);
    let preprocessed = preprocess(&unit, &sources, &Arc::default());
    (unit, preprocessed)
}

/// Preprocesses the first file and compares what each pass sees: `expected` has a line for each
/// class of passes that see the same, in the order of their first pass: `host sm_75: int x ;`.
fn check(files: &[(&str, &str)], archs: &str, expected: &str) {
    let (unit, preprocessed) = run(files, archs);
    assert_eq!(rendered(&unit, &preprocessed), lines(expected));
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

/// The tokens of each set of passes but those of the runtime's header, then the problems.
fn rendered(unit: &TranslationUnit, preprocessed: &Preprocessed) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (pass, name) in unit.passes.names(unit.passes.all()).into_iter().enumerate() {
        let tokens = own_tokens(preprocessed).filter(|token| token.passes.has(pass));
        let text = tokens.map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => lines.push((text, vec![name])),
        }
    }
    let mut shown: Vec<String> =
        lines.into_iter().map(|(text, names)| format!("{}: {text}", names.join(" "))).collect();
    shown.extend(preprocessed.problems.iter().map(|problem| format!("! {}", problem.message())));
    shown
}

/// The tokens of files that are no system headers.
fn own_tokens(preprocessed: &Preprocessed) -> impl Iterator<Item = &PpToken> {
    preprocessed.tokens().iter().filter(|token| !preprocessed.system.contains(&token.at.file))
}

/// The first token spelled `text`.
fn token<'p>(preprocessed: &'p Preprocessed, text: &str) -> &'p PpToken {
    own_tokens(preprocessed).find(|token| token.text.as_str() == text).expect("the token is there")
}

#[test]
fn a_conditional_on_the_architecture_splits_the_passes() {
    check(
        &[(
            "a.cu",
            "a\n#if __CUDA_ARCH__ >= 800\nnew\n#elif defined(__CUDA_ARCH__)\nold\n#else\nhost\n#endif\nb",
        )],
        "75,80",
        "host: a host b
         sm_75: a old b
         sm_80: a new b",
    );
}

#[test]
fn the_standards_rescanning_example() {
    check(
        &[(
            "a.cu",
            "#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };",
        )],
        "75",
        "host sm_75: f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
         f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
         int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;",
    );
}

#[test]
fn a_conditional_inside_an_argument_forks_the_invocation() {
    check(
        &[("a.cu", "#define f(x) <x>\nf(a\n#ifdef __CUDA_ARCH__\ndevice\n#endif\nb) c")],
        "75",
        "host: < a b > c
         sm_75: < a device b > c",
    );
}

#[test]
fn what_the_classes_share_is_emitted_once() {
    let text = "#define ID(x) x\n#ifdef __CUDA_ARCH__\n#define T float\n#else\n#define T double\n#endif\nID(a b T c d)";
    let (_, preprocessed) = run(&[("a.cu", text)], "75,80");
    let shown: Vec<String> =
        own_tokens(&preprocessed).map(|token| format!("{} {:?}", token.text, token.passes)).collect();
    let mut middle = shown[2..4].to_vec();
    middle.sort();
    assert_eq!(
        [&shown[..2], &middle, &shown[4..]].concat(),
        ["a {0, 1, 2}", "b {0, 1, 2}", "double {0}", "float {1, 2}", "c {0, 1, 2}", "d {0, 1, 2}",]
    );
}

#[test]
fn a_macro_may_be_object_like_in_one_pass_and_function_like_in_another() {
    check(
        &[("a.cu", "#ifdef __CUDA_ARCH__\n#define f(x) [x]\n#else\n#define f g\n#endif\nf(1) f")],
        "75",
        "host: g ( 1 ) g
         sm_75: [ 1 ] f",
    );
}

#[test]
fn a_function_like_name_at_the_end_takes_arguments_from_the_source() {
    check(
        &[("a.cu", "#define f(x) [x]\n#define g f\n#define h(x) x f\ng (1) h(2)\n(3) h(4)")],
        "75",
        "host sm_75: [ 1 ] 2 [ 3 ] 4 f",
    );
}

#[test]
fn a_directive_between_a_name_and_its_parenthesis_keeps_them_apart() {
    check(&[("a.cu", "#define f(x) [x]\nf\n#if 1\n(1)\n#endif\nf\n(2)")], "75", "host sm_75: f ( 1 ) [ 2 ]");
}

#[test]
fn a_file_included_once_by_some_passes_is_read_for_the_others_later() {
    check(
        &[
            (
                "a.cu",
                "#ifdef __CUDA_ARCH__\n#include \"o.h\"\n#include \"g.h\"\n#endif\nmid\n#include \"o.h\"\n#include \"g.h\"",
            ),
            ("o.h", "#pragma once\nonce"),
            ("g.h", "#ifndef G\n#define G\nguarded\n#endif"),
        ],
        "75",
        "host: mid once guarded
         sm_75: once guarded mid",
    );
}

#[test]
fn a_computed_include_may_name_another_file_in_each_pass() {
    let text = "#ifdef __CUDA_ARCH__\n#define H \"d.h\"\n#else\n#define H \"h.h\"\n#endif\n#include H\nend";
    check(
        &[("a.cu", text), ("d.h", "device"), ("h.h", "host")],
        "75",
        "host: host end
         sm_75: device end",
    );
}

#[test]
fn counters_drift_apart() {
    check(
        &[("a.cu", "#ifdef __CUDA_ARCH__\n__COUNTER__\n#endif\n__COUNTER__ __COUNTER__")],
        "75",
        "host: 0 1
         sm_75: 0 1 2",
    );
}

#[test]
fn pasting_makes_a_name_that_varies() {
    check(
        &[(
            "a.cu",
            "#define J(a, b) J_(a, b)\n#define J_(a, b) a##b\n#define k_750 turing\nJ(k_, __CUDA_ARCH__)",
        )],
        "75,80",
        "host: k___CUDA_ARCH__
         sm_75: turing
         sm_80: k_800",
    );
}

#[test]
fn nv_if_target_keeps_the_block_of_the_pass() {
    let text = "#include <nv/target>\nNV_IF_TARGET(NV_PROVIDES_SM_80, (a();), (b(1, 2);))";
    check(
        &[("a.cu", text)],
        "75,80",
        "host sm_75: { b ( 1 , 2 ) ; }
         sm_80: { a ( ) ; }",
    );
}

#[test]
fn cuda_words_stay_words_though_headers_define_them() {
    check(
        &[(
            "a.cu",
            "#define __device__ __attribute__((device))\n__device__ int x;\n#ifdef __device__\nseen\n#endif",
        )],
        "75",
        "host sm_75: __device__ int x ; seen",
    );
}

#[test]
fn an_error_stops_the_passes_that_meet_it() {
    let (unit, preprocessed) =
        run(&[("a.cu", "a\n#if __CUDA_ARCH__ == 750\n#error too old\n#endif\nb")], "75,80");
    assert_eq!(
        rendered(&unit, &preprocessed),
        lines(
            "host sm_80: a b
             sm_75: a
             ! #error too old"
        )
    );
    assert_eq!(preprocessed.stopped, PassSet::single(1));
    assert!(!preprocessed.problems[0].kind.leaves_out());
}

#[test]
fn broken_directives_are_problems() {
    check(
        &[("a.cu", "#endif\n#else\n#nonsense\n#if (1\n#elif 2 +\n#else\nx\n#endif\n#define\n#if 1\ny")],
        "75",
        "host sm_75: x y
         ! `#endif` without `#if`
         ! `#else` without `#if`
         ! unknown directive `#nonsense`
         ! missing `)` in the condition
         ! the condition ends where a value is expected
         ! no macro name given in `#define`
         ! unterminated conditional: no `#endif` closes it",
    );
    check(
        &[("a.cu", "#define f(a, b) a b\nf(1) x f(1, 2, 3) y\nf(1")],
        "75",
        "host sm_75: f x f y f ( 1
         ! macro `f` takes 2 arguments, but is given 1
         ! macro `f` takes 2 arguments, but is given 3
         ! unterminated argument list invoking macro `f`",
    );
}

#[test]
fn text_that_is_not_closed_is_a_problem_where_a_pass_reads_it() {
    check(
        &[(
            "a.cu",
            "a\n#if 0\nisn't\n#endif\n#error isn't\n#if __CUDA_ARCH__\nb 'c\n#endif\nd /* e\n#include \"f\"",
        )],
        "75",
        "host: a d
         sm_75: a b 'c d
         ! unterminated comment: the rest of the file is part of it
         ! #error isn't
         ! a quote that is not closed on its line",
    );
    check(
        &[("a.cu", "a\n#if 0\nisn't\n#endif\n#if __CUDA_ARCH__\nb 'c\n#endif\nR\"x(d \"e\nf")],
        "75",
        "host: a R\"x(d \"e f
         sm_75: a b 'c R\"x(d \"e f
         ! a quote that is not closed on its line
         ! unterminated raw string literal",
    );
    // A header that two units share is read once, and says so in both.
    check(
        &[("a.cu", "#include \"b.h\"\n#include \"b.h\"\nend"), ("b.h", "x /* y")],
        "75",
        "host sm_75: x x end
         ! unterminated comment: the rest of the file is part of it
         ! unterminated comment: the rest of the file is part of it",
    );
}

#[test]
fn invocations_nested_too_deep_and_replacements_too_long_are_problems() {
    let nested = |depth: usize| format!("#define f(x) x\n{}1{}", "f(".repeat(depth), ")".repeat(depth));
    let (_, preprocessed) = run(&[("a.cu", &nested(150))], "75");
    assert!(preprocessed.problems.is_empty());
    let (_, preprocessed) = run(&[("a.cu", &nested(1000))], "75");
    assert_eq!(preprocessed.problems.len(), 1);
    let parentheses = format!("#if {}1{}\n#endif", "(".repeat(1000), ")".repeat(1000));
    let (_, preprocessed) = run(&[("a.cu", &parentheses)], "75");
    assert_eq!(preprocessed.problems.len(), 1);
    let doubling: String = (0..40).map(|n| format!("#define m{n} m{} m{}\n", n + 1, n + 1)).collect();
    let (_, preprocessed) = run(&[("a.cu", &format!("{doubling}m0"))], "75");
    assert_eq!(preprocessed.problems.len(), 1);
    // Macros that pick a type for their arguments and stand in one another's double what is in them.
    let cases: String = (0..12).map(|n| format!("#define c{n}(...) __VA_ARGS__ __VA_ARGS__\n")).collect();
    let open: String = (0..12).map(|n| format!("c{n}(")).collect();
    let (_, preprocessed) =
        run(&[("a.cu", &format!("{cases}{open}{}{}", "x ".repeat(200), ")".repeat(12)))], "75");
    assert!(preprocessed.problems.is_empty());
    assert_eq!(own_tokens(&preprocessed).count(), 200 << 12);
}

#[test]
fn a_header_that_includes_itself_without_end_is_given_up() {
    let (_, preprocessed) = run(&[("a.cu", "#include \"b.h\"\nend"), ("b.h", "#include \"b.h\"\n")], "75");
    assert_eq!(preprocessed.problems.len(), 1);
    assert!(preprocessed.problems[0].kind.leaves_out());
    assert_eq!(own_tokens(&preprocessed).count(), 1);
}

#[test]
fn a_missing_header_is_recorded_once_for_its_directive() {
    let (_, preprocessed) =
        run(&[("a.cu", "#ifdef __CUDA_ARCH__\n#include <no/such.h>\n#endif\n#include \"none.h\"")], "75");
    let missing: Vec<_> = preprocessed.missing.iter().map(|one| (one.header.as_str(), one.passes)).collect();
    assert_eq!(missing, [("<no/such.h>", PassSet(0b10)), ("\"none.h\"", PassSet(0b11))]);
    assert!(preprocessed.problems.is_empty());
}

#[test]
fn project_headers_are_found_by_the_end_of_their_path() {
    let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
    let headers = BTreeMap::from([
        ("x.h".to_string(), paths(&["p/a/inc/x.h", "p/b/inc/x.h", "p/c/x.h"])),
        ("math.h".to_string(), paths(&["p/math.h"])),
        ("thread".to_string(), paths(&["p/thread", "p/lib/std/thread"])),
    ]);
    let text = "#include <inc/x.h>\n#include <math.h>\n#include <thread>\n#include \"math.h\"\n#include \"../../c/x.h\"\n\
                #include \"thread\"\n#include <std/thread>";
    let files = [
        ("p/b/src/a.cu", text),
        ("p/a/inc/x.h", "far"),
        ("p/b/inc/x.h", "near"),
        ("p/c/x.h", "c"),
        ("p/math.h", "own_math"),
        ("p/thread", "own_thread"),
        ("p/lib/std/thread", "library_thread"),
    ];
    let (unit, preprocessed) = run_with(&files, "75", |unit| unit.search.project_headers = Arc::new(headers));
    assert_eq!(rendered(&unit, &preprocessed), lines("host sm_75: near own_math c library_thread"));
}

#[test]
fn options_define_and_undefine_in_order() {
    let define = |name: &str, value: &str| Define::Define(name.into(), value.into());
    let options = vec![define("A", "1"), define("F(x)", "[x]"), Define::Undef("A".into())];
    let (unit, preprocessed) = run_with(&[("a.cu", "A F(2)")], "75", |unit| unit.defines = options);
    assert_eq!(rendered(&unit, &preprocessed), lines("host sm_75: A [ 2 ]"));
}

#[test]
fn forced_includes_come_after_the_runtime_and_before_the_file() {
    let files = [("a.cu", "main"), ("cuda_runtime.h", "runtime"), ("f.h", "forced")];
    let (unit, preprocessed) = run_with(&files, "75", |unit| {
        unit.search.directories = vec![PathBuf::from("")];
        unit.search.forced = vec![PathBuf::from("f.h")];
    });
    assert_eq!(rendered(&unit, &preprocessed), lines("host sm_75: runtime forced main"));
}

#[test]
fn a_macro_glued_to_a_literal_is_no_suffix() {
    check(
        &[("a.cu", "#define PRIx \"x\"\n#define ID(a) a\n\"%\"PRIx ID(\"%\"PRIx) \"s\"_km")],
        "75",
        "host sm_75: \"%\" \"x\" \"%\" \"x\" \"s\"_km",
    );
}

#[test]
fn a_token_is_where_a_reader_finds_it() {
    let text = "#define ADD(x) x + 1\nADD(value);\n";
    let (_, preprocessed) = run(&[("a.cu", text)], "75");
    let start = |what: &str| text.find(what).unwrap() as u32;
    let value = token(&preprocessed, "value");
    assert_eq!((value.at.start, value.spelled.offset), (start("value"), start("value")));
    let plus = token(&preprocessed, "+");
    assert_eq!((plus.at.start, plus.spelled.offset), (start("ADD(value"), start("+")));
    let expansion = preprocessed.expansion(plus.expansion.unwrap());
    assert_eq!(preprocessed.definition(expansion.definition).name.as_str(), "ADD");
}

/// Checks the derivation of what decides about `token` of the text.
fn check_derivation(text: &str, spelled: &str, expected: &str) {
    let (unit, preprocessed) = run(&[("a.cu", text)], "75,80");
    let group = preprocessed.deciding_group(token(&preprocessed, spelled), unit.passes.all());
    let steps = preprocessed.derivation(group.expect("a group decides"));
    let shown: Vec<String> = steps.iter().map(|step| format!("{} {:?}", step.text, step.passes)).collect();
    assert_eq!(shown, lines(expected));
}

#[test]
fn a_derived_guard_is_followed_back_to_the_architecture() {
    check_derivation(
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n#define FAST\n#endif\n\
         #ifdef FAST\n#define VERY_FAST 1 // both\n#endif\n#if VERY_FAST\nx\n#endif",
        "x",
        "#if VERY_FAST {2}
         #define VERY_FAST 1 {2}
         #ifdef FAST {2}
         #define FAST {2}
         #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 {2}
         __CUDA_ARCH__ {1, 2}",
    );
}

#[test]
fn an_else_is_explained_by_its_if() {
    check_derivation(
        "#ifdef __CUDA_ARCH__\n#else\nx\n#endif",
        "x",
        "#else {0}
         #ifdef __CUDA_ARCH__ {1, 2}
         __CUDA_ARCH__ {1, 2}",
    );
}

#[test]
fn an_include_guard_that_all_who_reach_it_pass_decides_nothing() {
    check_derivation(
        "#ifdef __CUDA_ARCH__\n#ifndef GUARD\n#define GUARD\nx\n#endif\n#endif",
        "x",
        "#ifdef __CUDA_ARCH__ {1, 2}
         __CUDA_ARCH__ {1, 2}",
    );
}

#[test]
fn a_macro_that_varies_decides_about_its_tokens() {
    let text = "#ifdef __CUDA_ARCH__\n#define T float\n#else\n#define T double\n#endif\nT x;";
    check_derivation(
        text,
        "double",
        "#else {0}
         #ifdef __CUDA_ARCH__ {1, 2}
         __CUDA_ARCH__ {1, 2}",
    );
    check_derivation(
        "#ifdef __CUDA_ARCH__\n#define hidden\n#endif\nhidden",
        "hidden",
        "#ifdef __CUDA_ARCH__ {1, 2}
         __CUDA_ARCH__ {1, 2}",
    );
}

#[test]
fn an_undef_decides_too() {
    let text = "#define T float\n#if __CUDA_ARCH__ >= 800\n#undef T\n#endif\nT x;";
    let expected = "#if __CUDA_ARCH__ >= 800 {2}
         __CUDA_ARCH__ {1, 2}";
    check_derivation(text, "float", expected);
    check_derivation(text, "T", expected);
    check_derivation(
        "#define HAS\n#if __CUDA_ARCH__ >= 800\n#undef HAS\n#endif\n#ifdef HAS\nx\n#endif",
        "x",
        "#ifdef HAS {0, 1}
         #define HAS {0, 1, 2}
         #undef HAS {2}
         #if __CUDA_ARCH__ >= 800 {2}
         __CUDA_ARCH__ {1, 2}",
    );
}

#[test]
fn text_keeps_its_macros_when_other_passes_take_later_directives_into_an_invocation() {
    let forks = "#ifdef __CUDA_ARCH__\n#define f(x) x\n#else\n#define f X\n#endif\n#define X 1\n";
    let text = format!("{forks}f(X\n#undef X\n#define X 2\nX)");
    check(
        &[("a.cu", &text)],
        "75",
        "host: 1 ( 1 2 )
         sm_75: 2 2",
    );
    let own = "#define f(x) one x\n#define N(x) x\n#ifdef __CUDA_ARCH__\n#define T float\n#endif\n\
               N(f(T\n#undef f\n#define f(x) two x\n#undef N\n))";
    check(
        &[("a.cu", own)],
        "75",
        "host: two T
         sm_75: two float",
    );
}

#[test]
fn a_line_directive_holds_for_the_passes_that_met_it() {
    check(
        &[(
            "a.cu",
            "#ifdef __CUDA_ARCH__\n#line 100 \"b.cu\"\n#endif\n__LINE__ __FILE__\n#line 7 L\"x\"\n__LINE__",
        )],
        "75",
        "host: 4 \"a.cu\" 6
         sm_75: 101 \"b.cu\" 103
         ! `#line` needs a plain string as name",
    );
    check(
        &[("a.cu", "#ifdef __CUDA_ARCH__\n#define N 8\n#else\n#define N 9\n#endif\n#line N\n__LINE__")],
        "75",
        "host: 9
         sm_75: 8",
    );
    check(&[("a.cu", "#line \\\n 50\n__LINE__")], "75", "host sm_75: 50");
}

#[test]
fn a_suffix_is_cut_for_the_passes_to_which_it_is_a_macro() {
    check(
        &[("a.cu", "#ifdef __CUDA_ARCH__\n#define P \"x\"\n#endif\n\"%\"P end")],
        "75",
        "host: \"%\"P end
         sm_75: \"%\" \"x\" end",
    );
}

#[test]
fn a_shared_token_has_its_own_place_in_each_pass() {
    let text = "#ifdef __CUDA_ARCH__\n#define T int\n#else\n#define T int\n#endif\nT x;";
    let (_, preprocessed) = run(&[("a.cu", text)], "75");
    assert_eq!(own_tokens(&preprocessed).count(), 3);
    let own =
        |pass| preprocessed.tokens_of(pass).filter(|token| !preprocessed.system.contains(&token.at.file));
    let spelled = |pass| own(pass).next().unwrap().spelled.offset as usize;
    let first = text.find("int").unwrap();
    assert_eq!([spelled(1), spelled(0)], [first, first + text[first + 1..].find("int").unwrap() + 1]);
}

#[test]
fn a_digraph_stringizes_as_it_is_written() {
    check(&[("a.cu", "#define S(x) #x\nS(<: [ %> %:%:)")], "75", "host sm_75: \"<: [ %> %:%:\"");
}

#[test]
fn parameters_have_different_names() {
    check(
        &[("a.cu", "#define f(x, x) x\nf(1, 2)")],
        "75",
        "host sm_75: f ( 1 , 2 )
         ! duplicate macro parameter",
    );
}

#[test]
fn reads_name_every_macro_a_condition_looked_at() {
    let text = "#define A B\n#define B __CUDA_ARCH__\n#if A > 0 && defined(C) && D\n#endif";
    let (_, preprocessed) = run(&[("a.cu", text)], "75");
    let conditional = preprocessed.conditionals();
    let conditional = conditional.last().unwrap();
    let names: Vec<&str> = conditional.reads.iter().map(|read| read.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "__CUDA_ARCH__", "C"]);
    let varying: Vec<bool> = conditional.reads.iter().map(|read| read.definitions.varies()).collect();
    assert_eq!(varying, [false, false, true, false]);
}

#[test]
fn a_compiler_that_was_asked_answers() {
    let text = "#ifdef __has_builtin\nbuiltin\n#endif\n#if __has_feature(modules) && __has_feature (x)\nfeature\n#endif\n";
    let configure = |unit: &mut TranslationUnit| {
        let names = ["__has_feature".to_string()].into();
        let values = [("__has_feature(modules)".to_string(), 1)].into();
        unit.answers = Some(Arc::new(Answers { names, values }));
    };
    let (unit, preprocessed) = run_with(&[("a.cu", text)], "80", configure);
    assert_eq!(rendered(&unit, &preprocessed), ["host sm_80: "]);
    assert_eq!(preprocessed.unanswered.iter().collect::<Vec<_>>(), ["__has_feature(x)"]);
    check(
        &[("a.cu", text)],
        "80",
        "host sm_80: builtin\n! the function-like macro `__has_feature` is not defined",
    );
}

#[test]
fn gcc_asserts_the_machine_before_the_first_line() {
    let text = "#if #system(linux) && #system(unix) && #system(posix) && #cpu && !#cpu(m68k)\ntux\n#endif\n\
                #if #cpu(x86_64) && #machine ( x86_64 )\nintel\n#endif\n#if #cpu(aarch64)\narm\n#endif\n";
    let words = |change: &dyn Fn(&mut TranslationUnit)| {
        let (_, preprocessed) = run_with(&[("/m.cu", text)], "75", change);
        own_tokens(&preprocessed).map(|token| token.text.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(words(&|_| {}), ["tux", "intel"]);
    assert_eq!(words(&|unit| unit.options.machine = Machine::Aarch64), ["tux", "arm"]);
    assert_eq!(words(&|unit| unit.options.host = HostCompiler::Clang19), [""; 0]);
}
