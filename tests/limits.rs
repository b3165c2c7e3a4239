//! Sources that nest or grow beyond all reason: the analysis comes to an end, without a defect, and says
//! when it left something out.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use cuda_arch_lint::analysis::{Analysis, analyse};
use cuda_arch_lint::project::TranslationUnit;
use cuda_arch_lint::source::Sources;
use cuda_arch_lint::target::{Passes, parse_arch_list};

const PRELUDE: &str = "
#ifdef __CUDA_ARCH__
using real = float;
#else
using real = double;
#endif
template <class T, int N = 1> __global__ void k(T *p) { }
";

/// Analyses what follows the prelude, for the host and sm_80.
fn analysed(source: &str) -> Analysis {
    let sources = Sources::new();
    sources.add(Path::new("deep.cu"), format!("{PRELUDE}{source}"));
    let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
    analyse(&[TranslationUnit::new(Path::new("deep.cu"), passes)], &sources)
}

/// Everything was followed and the kernel was found.
fn found(source: &str) {
    let analysis = analysed(source);
    assert_eq!(analysis.problems, []);
    assert_eq!(analysis.findings.len(), 1);
}

/// Something was left out, and the analysis says so.
fn given_up(source: &str) {
    let problems = analysed(source).problems;
    assert!(problems.iter().any(|problem| problem.message.contains("deeper")), "{problems:?}");
}

fn nested(count: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(count), close.repeat(count))
}

const LAUNCH: &str = "k<real><<<1, 1>>>(nullptr);";

#[test]
fn nested_blocks() {
    found(&format!("void f() {}", nested(5000, "{", LAUNCH, "}")));
}

#[test]
fn nested_parentheses() {
    found(&format!("void f() {{ (void){}; }}", nested(5000, "(", "k<real>", ")")));
}

#[test]
fn nested_lambdas() {
    found(&format!("void f() {{ {} }}", nested(500, "[&] {", LAUNCH, "}();")));
}

#[test]
fn nested_namespaces_and_classes() {
    found(&nested(500, "namespace n {", "__device__ real x;", "}"));
    assert_eq!(analysed(&nested(500, "struct n {", "real x;", "};")).problems, []);
}

#[test]
fn a_long_chain_of_branches() {
    let branch = |number| format!("if (x == {number}) {{ {LAUNCH} }} else ");
    found(&format!("void f(int x) {{ {} {{ }} }}", (0..500).map(branch).collect::<String>()));
}

#[test]
fn a_large_table() {
    let entries: Vec<String> = (0..3000).map(|number| format!("k<real, {number}>")).collect();
    found(&format!("void (*table[])(real *) = {{ {} }};", entries.join(", ")));
}

#[test]
fn a_long_chain_of_enumerators() {
    let chain: String = (1..1000).map(|number| format!("e{number} = e{} + 1, ", number - 1)).collect();
    found(&format!("enum {{ e0 = sizeof(real), {chain} }}; void f() {{ k<int, e999><<<1, 1>>>(nullptr); }}"));
}

#[test]
fn what_the_grammar_can_not_hold_is_counted() {
    let analysis = analysed(&format!("void f() {{ (void){}; }}", nested(30_000, "(", "k<real>", ")")));
    assert!(analysis.syntax_error_bytes > 60_000);
}

#[test]
fn deep_expressions() {
    given_up(&format!(
        "constexpr int n = sizeof(real){}; void f() {{ k<int, n><<<1, 1>>>(nullptr); }}",
        " + 1".repeat(5000)
    ));
    given_up(&format!(
        "constexpr int id(int x) {{ return x; }} constexpr int n = {}; void f() {{ k<int, n><<<1, 1>>>(nullptr); }}",
        nested(2000, "id(", "sizeof(real)", ")")
    ));
}

#[test]
fn recursion_that_doubles() {
    given_up(
        "constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         void f() { k<real, fib(60)><<<1, 1>>>(nullptr); }",
    );
}

#[test]
fn types_that_double() {
    let aliases = (1..60).map(|number| format!("using a{number} = P<a{0}, a{0}>;", number - 1));
    given_up(&format!(
        "template <class A, class B> struct P {{ }}; using a0 = real; {} __device__ a59 x;",
        aliases.collect::<String>()
    ));
}

#[test]
fn bases_that_double() {
    let bases = (1..40).map(|n| format!("template <class T> struct D{n} : D{0}<T>, D{0}<T *> {{ }};", n - 1));
    given_up(&format!(
        "template <class T> struct D0 {{ }}; {} __device__ typename D39<real>::type x;",
        bases.collect::<String>()
    ));
}

#[test]
fn instantiations_without_end() {
    given_up(&format!("template <int N> void g() {{ {LAUNCH} g<N + 1>(); }} void f() {{ g<0>(); }}"));
}

#[test]
fn what_one_pass_was_not_followed_to_is_not_missing_there() {
    let analysis = analysed(
        "template <class T> void launch() { k<T><<<1, 1>>>(nullptr); }
         template <int N> void g() {
             launch<char>();
         #ifdef __CUDA_ARCH__
             g<2 * N>(); g<2 * N + 1>();
         #endif
         }
         void first() { g<1>(); }
         void last() { launch<int>(); }
         #ifndef __CUDA_ARCH__
         void guarded() { launch<short>(); }
         #endif",
    );
    assert!(analysis.problems.iter().any(|problem| problem.message.contains("deeper")));
    let instantiations = analysis.findings.iter().filter(|one| one.rule == "arch-dependent-instantiation");
    let messages: Vec<&str> = instantiations.map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`k<short, 1>` is instantiated on the host and not on sm_80"]);
}

#[test]
fn arguments_that_a_limit_leaves_as_spelled_are_no_difference() {
    // Both passes instantiate `step<3>`.
    let analysis = analysed(
        "#ifdef __CUDA_ARCH__
         #define FIRST 18
         #else
         #define FIRST 17
         #endif
         template <int N, int M> struct Paths {
             static constexpr int value = Paths<N - 1, 2 * M>::value + Paths<N - 1, 2 * M + 1>::value;
         };
         template <int M> struct Paths<0, M> { static constexpr int value = 1; };
         template <int N> __global__ void step() { }
         void run() { step<(Paths<17, FIRST>::value > 0) ? 3 : 4><<<1, 1>>>(); }",
    );
    assert_eq!(analysis.findings, []);
    let is_open =
        |message: &str| message.contains("whether it instantiates the same in every pass is not known");
    assert!(analysis.problems.iter().any(|problem| is_open(&problem.message)), "{:?}", analysis.problems);
}

#[test]
fn directives_in_circles() {
    let spaces = (0..100).map(|n| {
        let next = |step: usize| (n + step) % 100;
        format!("namespace n{n} {{ using namespace n{}; using namespace n{}; }}", next(1), next(7))
    });
    found(&format!("{} namespace n5 {{ using T = real; }} __device__ n0::T x;", spaces.collect::<String>()));
}
