//! Answers that units take over from each other: where something that they depend on is another one, they are found anew.

use crate::facts::*;
use crate::preprocess::{Common, preprocess};
use crate::source::Sources;
use crate::target::{Passes, parse_arch_list};
use crate::variance::variance;

use std::path::Path;
use std::sync::Arc;

/// Units that share a header.
struct Project {
    sources: Sources,
    common: Arc<Common>,
    memo: Memo,
    answers: Answers,
}

impl Project {
    fn new(header: &str) -> Project {
        let sources = Sources::new();
        sources.add(Path::new("lib.cuh"), header.to_string());
        Project { sources, common: Arc::default(), memo: Memo::new(), answers: Answers::shared_from(0) }
    }

    /// The instantiations of a unit that not every pass has.
    fn instantiations(&self, name: &str, text: &str, answers: Option<&Answers>) -> Vec<String> {
        self.sources.add(Path::new(name), text.to_string());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let unit = TranslationUnit::new(Path::new(name), passes);
        let preprocessed = preprocess(&unit, &self.sources, &self.common);
        let variance = variance(&preprocessed, unit.passes.all().minus(preprocessed.stopped));
        let last = Reusable::default();
        let (facts, _) = facts_again(&unit, &preprocessed, &variance, &self.memo, answers, &last);
        let shown = |passes: PassSet| unit.passes.names(passes).join(",");
        let one = |fact: &InstantiationFact| {
            let doubt = if fact.sure { "" } else { " ?" };
            let cause = fact.cause.iter().flat_map(|cause| &cause.derivation).map(|step| &step.text);
            let cause: Vec<&String> = cause.collect();
            format!("{}: {}{doubt} because of {cause:?}", shown(fact.passes), fact.shown)
        };
        let mut found: Vec<String> = facts.instantiations.iter().map(one).collect();
        found.sort();
        found
    }
}

const LIBRARY: &str = "
    #ifdef __CUDA_ARCH__
    #define HOST 0
    #else
    #define HOST 1
    #endif
    template <class T> __global__ void k(T *p) { }
    namespace lib {
    template <class... T> struct List { static constexpr int size = sizeof...(T); };
    template <int N> struct Number { };
    template <class T> struct Trait { using type = T; };
    struct Base { auto rank() const { return Number<1>(); } };
    template <class T> struct Box : Base { auto get() const { return T(); } T outside(int) const; };
    template <class T> Box(T) -> Box<T>;
    template <class T> auto other(T) { return Number<2>(); }
    template <class A, class B> auto both(A, B) { return List<A, B>(); }
    template <class T> auto wrap(T t) { return both(t, other(t)); }
    template <class T> auto trait(T t) { return typename Trait<T>::type(); }
    template <class T> auto member(Box<T> box) { return both(box.get(), box.rank()); }
    template <class T> auto nested(T t) { return wrap(wrap(t)); }
    template <class T> auto closure(T t) { auto own = [](auto x) { return other(x); }; return both(t, own(t)); }
    template <class T> auto directive(T t) { using namespace lib; return both(t, other(t)); }
    inline namespace inner { template <class T> auto within(T t) { return both(t, t); } }
    template <class T> auto sized(T t) { return Number<sizeof(t)>(); }
    template <class T> auto guided(T t) { return Box(t); }
    enum class Color { red };
    template <class T> auto colored(T) { return Color::red; }
#ifndef __CUDA_ARCH__
    template <class T> auto varying(T t) { return List<T>(); }
#else
    template <class T> auto varying(T t) { return List<T, T>(); }
#endif
    template <class T> auto deep(T t) { return wrap(varying(t)); }
    }
    ";

/// Declarations before and behind the header, and a call with what its type is then; behind the first of each call, which is
/// what other units ask, something is another one.
const QUESTIONS: [(&str, &[(&str, &str)]); 11] = [
    (
        "lib::wrap(lib::Number<3>())",
        &[
            ("", "namespace lib { auto other(Number<3>) { return Number<4>(); } }"),
            (
                "namespace lib { template <int N> struct Number; auto other(Number<3>); }",
                "namespace lib { auto other(Number<3>) { return Number<5>(); } }",
            ),
            ("", "namespace lib { template <int N> auto other(Number<N>) { return Number<N + 1>(); } }"),
        ],
    ),
    (
        "lib::nested(lib::Number<3>())",
        &[(
            "",
            "namespace lib { template <class T> auto other(List<T, Number<2>>) { return Number<6>(); } }",
        )],
    ),
    (
        "lib::trait(lib::Number<3>())",
        &[
            ("", "template <> struct lib::Trait<lib::Number<3>> { using type = char; };"),
            (
                "",
                "namespace lib { template <int N> struct Trait<Number<N>> { using type = Number<N + 7>; }; }",
            ),
        ],
    ),
    (
        "lib::member(lib::Box<int>())",
        &[("", "namespace lib { template <> struct Box<int> { int get() const; char rank() const; }; }")],
    ),
    (
        "lib::closure(lib::Number<3>())",
        &[("", "namespace lib { auto other(Number<3>) { return Number<4>(); } }")],
    ),
    (
        "lib::directive(lib::Number<3>())",
        &[("", "namespace lib { auto other(Number<3>) { return Number<4>(); } }")],
    ),
    (
        "lib::within(lib::Number<3>())",
        &[("", "namespace lib { inline namespace inner { auto within(Number<3>) { return 1L; } } }")],
    ),
    (
        "lib::sized(lib::Box<int>())",
        &[("", "namespace lib { template <> struct Box<int> { int members[7]; }; }")],
    ),
    (
        "lib::guided(lib::Number<3>())",
        &[("", "namespace lib { template <int N> Box(Number<N>) -> Box<char>; }")],
    ),
    ("lib::colored(lib::Number<3>())", &[("", "namespace lib { int colored(Number<3>); }")]),
    (
        "lib::deep(lib::Number<3>())",
        &[("", "namespace lib { template <class... T> auto other(List<T...>) { return Number<8>(); } }")],
    ),
];

/// A unit that asks for the type of a call, on the host alone.
fn asking(before: &str, behind: &str, call: &str) -> String {
    format!(
        "{before}
#include \"lib.cuh\"
{behind}
template <class T> void launch(T t) {{ k<T><<<1, 1>>>(nullptr); }}
#if HOST
void of_host() {{ launch({call}); }}
#endif
"
    )
}

/// A second unit that asks the same takes answers over and finds the same; one in which something else is meant finds what it
/// finds without answers of others.
#[test]
fn answers_of_other_units_hold_where_all_that_they_depend_on_is_the_same() {
    for (call, changes) in QUESTIONS {
        let project = Project::new(LIBRARY);
        let first = asking("", "", call);
        let found = project.instantiations("first.cu", &first, Some(&project.answers));
        assert_eq!(found, project.instantiations("first.cu", &first, None), "{call}");
        assert_eq!(project.answers.reuse().0, 0, "{call}");
        let again = format!("// The same.\n{first}");
        assert_eq!(found, project.instantiations("again.cu", &again, Some(&project.answers)), "{call}");
        let (taken, _) = project.answers.reuse();
        assert!(taken > 0, "{call}: nothing is taken over");
        for (number, (before, behind)) in changes.iter().enumerate() {
            let (name, text) = (format!("{number}.cu"), asking(before, behind, call));
            let alone = project.instantiations(&name, &text, None);
            assert_ne!(found, alone, "{call} does not see {behind}");
            assert_eq!(
                alone,
                project.instantiations(&name, &text, Some(&project.answers)),
                "{call} with {behind}"
            );
            // Both answers are kept.
            let [one, other] = [&first, &text].map(|text| {
                let (before, _) = project.answers.reuse();
                project.instantiations("more.cu", text, Some(&project.answers));
                project.answers.reuse().0 - before
            });
            assert!(
                one > 0 && (other > 0 || call.contains("guided")),
                "{call}: {one} and {other} with {behind}"
            );
        }
    }
}

/// What the host's pass asks again for devices, or another unit's pass for devices, may be another answer there.
#[test]
fn answers_of_the_host_hold_for_devices_where_they_do_not_depend_on_the_host() {
    let project = Project::new(LIBRARY);
    let both = "#include \"lib.cuh\"
        template <class T> void launch(T t) { k<T><<<1, 1>>>(nullptr); }
        void host() { launch(lib::deep(1)); launch(lib::varying(1)); launch(lib::wrap(1)); }";
    let found = project.instantiations("first.cu", both, Some(&project.answers));
    let shown: Vec<&str> = found.iter().map(|one| one.split(" because").next().unwrap_or_default()).collect();
    let expected = [
        "host: k<lib::List<int>>",
        "host: k<lib::List<lib::List<int>, lib::Number<2>>>",
        "sm_80: k<lib::List<int, int>>",
        "sm_80: k<lib::List<lib::List<int, int>, lib::Number<2>>>",
    ];
    assert_eq!(shown, expected);
    let again = format!("// The same.\n{both}");
    assert_eq!(found, project.instantiations("again.cu", &again, Some(&project.answers)));
    assert!(project.answers.reuse().0 > 3);
}
