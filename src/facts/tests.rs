//! The semantic stage on small sources: what names mean, and what differs between passes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path as FilePath;
use std::rc::Rc;
use std::sync::Arc;

use crate::preprocess::preprocess;
use crate::source::Sources;
use crate::target::{Passes, parse_arch_list};
use crate::variance::{ScopeId, variance};

use super::ast::{DeclBody, Path};
use super::lookup::{Entity, Env, Hit};
use super::types::{Spelling, Ty};
use super::*;

/// A source after every stage before this one, for the host and `archs`.
struct Fixture {
    sources: Sources,
    unit: TranslationUnit,
    pp: Preprocessed,
    variance: Variance,
    memo: Memo,
}

impl Fixture {
    fn new(source: &str, archs: &str) -> Fixture {
        let passes = Passes::new(&parse_arch_list(archs).unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(FilePath::new("a.cu"), source.to_string());
        let unit = TranslationUnit::new(FilePath::new("a.cu"), passes);
        let pp = preprocess(&unit, &sources, &Arc::default());
        let variance = variance(&pp, unit.passes.all().minus(pp.stopped));
        Fixture { sources, unit, pp, variance, memo: Memo::new() }
    }

    fn passes(&self, set: PassSet) -> String {
        match set {
            all if all == self.unit.passes.all() => "*".into(),
            none if none.is_empty() => "-".into(),
            some => self.unit.passes.names(some).join(","),
        }
    }

    fn line(&self, at: Span) -> u32 {
        self.sources.file(at.file).line_column(at.start).line
    }
}

/// What `render` makes of the global names, each in every pass: a line `name = text` for each, with
/// `text [passes]; text [passes]` where the passes disagree.
fn check_names(source: &str, expected: &str, render: impl Fn(&View<'_>, Symbol, &Entity) -> String) {
    let fixture = Fixture::new(source, "80");
    let world = World::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all());
    let expected = lines(expected);
    let mut found = Vec::new();
    for name in expected.iter().map(|line| line.split(" = ").next().unwrap_or_default()) {
        let mut texts: Vec<(PassSet, String)> = Vec::new();
        for pass in fixture.unit.passes.all().iter() {
            let view = View::new(&world, pass);
            let text = match view.unqualified(Symbol::intern(name), &Env::namespace(ScopeId::GLOBAL)) {
                Hit::Entities(entities) => render(&view, Symbol::intern(name), &entities[0]),
                other => format!("{other:?}"),
            };
            match texts.iter_mut().find(|(_, known)| *known == text) {
                Some((passes, _)) => *passes = passes.or(PassSet::single(pass)),
                None => texts.push((PassSet::single(pass), text)),
            }
        }
        let text = match texts.as_slice() {
            [(_, only)] => only.clone(),
            all => {
                let each = all.iter().map(|(passes, text)| format!("{text} [{}]", fixture.passes(*passes)));
                each.collect::<Vec<_>>().join("; ")
            }
        };
        found.push(format!("{name} = {text}"));
    }
    let differ = found.iter().zip(expected).filter(|(found, expected)| found != expected);
    let differ: Vec<String> = differ.map(|(found, expected)| format!("{found}   not   {expected}")).collect();
    assert!(differ.is_empty(), "\n{}\n", differ.join("\n"));
}

/// The canonical type of aliases, variables and functions.
fn types(source: &str, expected: &str) {
    check_names(source, expected, |view, _, entity| {
        let ty = match &entity.decl.kind {
            DeclBody::Variable(variable) => view.ty(&variable.ty, &entity.env),
            DeclBody::Function(function) => {
                let parameters = function.parameters.iter();
                let types = parameters.map(|one| view.parameter_ty(&one.ty, &entity.env)).collect();
                Ty::Function(Rc::new(view.ty(&function.result, &entity.env)), types)
            }
            _ => view.named(&Path::plain(entity.decl.name), &entity.env),
        };
        let doubt = if ty.is_sure() { "" } else { " ?" };
        format!("{}{doubt}", ty.text(Spelling::Canonical))
    });
}

/// The values of constants.
fn values(source: &str, expected: &str) {
    check_names(source, expected, |view, name, _| {
        view.name_value(&Path::plain(name), &Env::namespace(ScopeId::GLOBAL)).text()
    });
}

/// Sizes and alignments of types: `size/alignment`.
fn sizes(source: &str, expected: &str) {
    check_names(source, expected, |view, _, entity| {
        let ty = view.named(&Path::plain(entity.decl.name), &entity.env);
        layout::size_align(view, &ty).map_or("unknown".into(), |(size, align)| format!("{size}/{align}"))
    });
}

/// The facts of a source that tell its passes apart, a line each, with the lines of places and of causes.
fn check(source: &str, archs: &str, expected: &str) {
    let fixture = Fixture::new(source, archs);
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let found = render(&fixture, &facts);
    let found = lines(&found);
    assert_eq!(found, lines(expected), "\nfound:\n{}\nin:\n{source}", found.join("\n"));
}

/// The kernel instantiations that not every pass has.
fn instantiations(source: &str, expected: &str) {
    let found = instantiated(source);
    assert_eq!(found, lines(expected), "\nfound:\n{}\nin:\n{source}", found.join("\n"));
}

/// That each of the sources instantiates what is expected, and nothing else.
fn each_instantiates(sources: &[&str], expected: &str) {
    let differ = sources.iter().filter(|source| instantiated(source) != lines(expected));
    let differ: Vec<String> =
        differ.map(|source| format!("{source}\n    {:?}", instantiated(source))).collect();
    assert!(differ.is_empty(), "\n{}\n", differ.join("\n"));
}

/// The kernel instantiations that not every pass has, a line each class of passes. `real` is another
/// type to the host than to the device, so that what its users instantiate is among them.
fn instantiated(source: &str) -> Vec<String> {
    let prelude = "
#ifdef __CUDA_ARCH__
        using real = float;
#else
        using real = double;
#endif
        template <class T, int N = 1> __global__ void k(T *p) { }
        ";
    let fixture = Fixture::new(&format!("{prelude}{source}"), "80");
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let mut found: BTreeMap<PassSet, Vec<String>> = BTreeMap::new();
    for fact in &facts.instantiations {
        let doubt = if fact.sure { "" } else { " ?" };
        found.entry(fact.passes).or_default().push(format!("{}{doubt}", fact.shown));
    }
    let mut found: Vec<String> = found
        .into_iter()
        .map(|(passes, mut list)| {
            list.sort();
            format!("{}: {}", fixture.passes(passes), list.join(" "))
        })
        .collect();
    found.extend(facts.incomplete);
    found
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn render(fixture: &Fixture, facts: &UnitFacts) -> String {
    let mut text = String::new();
    let mut line = |content: String| writeln!(text, "{content}").unwrap();
    let cause = |cause: &Option<Cause>| match cause {
        Some(cause) => format!(" because {}:{}", fixture.line(cause.at), cause.text),
        None => String::new(),
    };
    for fact in facts.kernels.iter().chain(&facts.variables) {
        if fact.cases.len() == 1 && (fact.defined == facts.compared || fact.defined.is_empty()) {
            continue;
        }
        let cases = fact.cases.iter().map(|case| {
            let doubt = if case.sure { "" } else { " ?" };
            format!("{}{doubt} [{}]", case.canonical, fixture.passes(case.passes))
        });
        let cases: Vec<String> = cases.collect();
        let why = if fact.cases.len() > 1 { &fact.type_cause } else { &fact.presence_cause };
        let defined = fixture.passes(fact.defined);
        line(format!("{} {}: {}; defined [{defined}]{}", fact.what, fact.name, cases.join(", "), cause(why)));
    }
    for fact in &facts.instantiations {
        let doubt = if fact.sure { "" } else { " ?" };
        let sites: Vec<String> = fact
            .sites
            .iter()
            .map(|site| match site.at == site.root {
                true => fixture.line(site.at).to_string(),
                false => format!("{} from {}", fixture.line(site.at), fixture.line(site.root)),
            })
            .collect();
        let passes = fixture.passes(fact.passes);
        line(format!("{}{doubt} [{passes}] at {}{}", fact.shown, sites.join(", "), cause(&fact.cause)));
        if fact.signatures.len() > 1 {
            for case in &fact.signatures {
                line(format!("takes {} [{}]", case.shown, fixture.passes(case.passes)));
            }
        }
    }
    for fact in &facts.definitions {
        line(format!("{} {} [{}]{}", fact.what, fact.name, fixture.passes(fact.defined), cause(&fact.cause)));
    }
    for fact in &facts.layouts {
        for case in &fact.cases {
            let size = case.size.map_or("?".into(), |size| size.to_string());
            let passes = fixture.passes(case.passes);
            line(format!(
                "class {} {{ {} }} {size} [{passes}]{}",
                fact.name,
                case.parts.join("; "),
                cause(&fact.cause)
            ));
        }
    }
    text
}

// Types

#[test]
fn declarators() {
    types(
        "int *const *a[3]; void (*f)(int, const float *); int *(*fp)(); double (*(*ff)(int))(char);
         int *const cp = 0; const int *pc; int const *volatile pv; const char *const names[2] = {}; unsigned long long int ull;
         long unsigned lu; short int s; signed char sc; unsigned u; int (*table[4])(int); float &&rr = 1.f; void *restrict_free;",
        "a = int *const *[3]
         f = void (*)(int, const float *)
         fp = int *(*)()
         ff = double (*(*)(int))(char)
         cp = int *const
         pc = const int *
         pv = const int *volatile
         names = const char *const[2]
         ull = unsigned long long
         lu = unsigned long
         s = short
         sc = signed char
         u = unsigned int
         table = int (*[4])(int)
         rr = float &&",
    );
}

#[test]
fn references_collapse_and_qualifiers_of_them_vanish() {
    types(
        "typedef int &L; typedef int &&R; using a = L &; using b = L &&; using c = R &; using d = R &&; using e = const L;
         typedef int A[3]; using f = const A; typedef int *P; using g = const P; using h = const volatile int; using i = const h;
         typedef void F(int); using j = const F; using m = F *;",
        "a = int &
         b = int &
         c = int &
         d = int &&
         e = int &
         f = const int [3]
         g = int *const
         h = const volatile int
         i = const volatile int
         j = void (int)
         m = void (*)(int)",
    );
}

#[test]
fn parameters_are_adjusted() {
    types(
        "typedef int A[3]; typedef void F(int); typedef const int CI;
         void f(int a[3], const int b[], A c, F d, void e(int), const int g, CI h, int *const i, const int *j, int (&k)[3], float[2][3]);
         void v(void); void none(); auto t(int) -> const char *; void pa(char (*a)[2][3], int (&)[4]); int ra(float (&a)[4]) { }",
        "f = void (int *, const int *, int *, void (*)(int), void (*)(int), int, int, int *, const int *, int (&)[3], float (*)[3])
         v = void ()
         none = void ()
         t = const char *(int)
         pa = void (char (*)[2][3], int (&)[4])
         ra = int (float (&)[4])",
    );
}

#[test]
fn alias_chains_and_alias_templates() {
    types(
        "typedef float real; using A = real; typedef A *B, C[2]; template <class T> using P = T *; template <class T> using Q = P<const T>;
         template <class T, int N = 4> struct V { T x[N]; using value_type = T; }; template <class T> using W = V<T>;
         using a = B; using b = C; using c = P<real>; using d = Q<A>; using e = W<P<int>>; using f = W<real>::value_type;
         template <class T> using E = typename V<T, 2>::value_type; using g = E<char>; using h = V<int, sizeof(real) * 2>;",
        "a = float *
         b = float [2]
         c = float *
         d = const float *
         e = V<int *, 4>
         f = float
         g = char
         h = V<int, 8>",
    );
}

#[test]
fn names_in_namespaces() {
    types(
        "namespace n { struct S { }; inline namespace v1 { struct I { }; } namespace { struct U { }; }
           namespace m { using T = S; struct S { int x; }; using O = S; using X = ::n::S; } }
         namespace al = n::m; namespace al2 = al; using n::I; using namespace n; struct G { }; namespace n::k { struct G { }; using H = G; using J = ::G; }
         namespace other { using n::S; struct Last { }; } namespace other { using More = Last; }
         using a = n::S; using b = n::I; using c = n::v1::I; using d = n::U; using e = n::m::T; using f = n::m::O; using g = al::S;
         using h = al2::X; using i = I; using j = S; using l = n::k::H; using o = n::k::J; using p = other::S; using q = other::More; using r = m::S;",
        "a = n::S
         b = n::v1::I
         c = n::v1::I
         d = n::(anonymous namespace)::U
         e = n::m::S
         f = n::m::S
         g = n::m::S
         h = n::S
         i = n::v1::I
         j = n::S
         l = n::k::G
         o = G
         p = n::S
         q = other::Last
         r = n::m::S",
    );
}

#[test]
fn directives_reach_through_directives() {
    types(
        "namespace a { struct X { }; } namespace b { using namespace a; } namespace c { using namespace b; using Y = X; }
         namespace d { namespace e { struct Z { }; } using namespace e; }
         using x = b::X; using y = c::Y; using z = d::Z;",
        "x = a::X
         y = a::X
         z = d::e::Z",
    );
}

#[test]
fn member_aliases_of_classes_and_their_bases() {
    types(
        "struct B { using T = int; typedef char C; }; struct D : B { using T = float; using E = C; struct N { using F = T; }; };
         template <class X> struct TB { using T = X; using P = X *; }; template <class X> struct TD : TB<X *> { using Q = typename TB<X>::P; };
         template <class X> struct TE : TD<X> { }; struct U : D { using B::T; };
         using a = D::T; using b = D::C; using c = D::E; using d = D::N::F; using e = TD<int>::T; using f = TE<int>::T; using g = TE<int>::Q;
         using h = typename TE<char>::P; using i = U::T; using j = TD<int>::TB<char>::T; using k = D;",
        "a = float
         b = char
         c = char
         d = float
         e = int *
         f = int *
         g = int *
         h = char **
         i = int
         k = D",
    );
}

#[test]
fn specializations_are_chosen_by_arguments() {
    types(
        "template <class T, class U = int> struct X { using t = char; }; template <class T> struct X<T *, int> { using t = T; };
         template <> struct X<float, int> { using t = double; }; template <class T> struct X<T, T> { using t = T[2]; };
         template <class T, int N> struct X<T[N], int> { using t = X<T>; }; template <class T> struct X<const T, int> { using t = T &; };
         template <class R, class A> struct X<R (*)(A), int> { using t = A; };
         using a = X<char>::t; using b = X<char *>::t; using c = X<float>::t; using d = X<long, long>::t; using e = X<char[3]>::t; using f = X<const float>::t;
         using g = X<float (*)(short)>::t; using h = X<char **>::t; using i = X<const char *>::t;
         template <bool B, class T, class F> struct cond { using type = T; }; template <class T, class F> struct cond<false, T, F> { using type = F; };
         template <bool B, class T, class F> using cond_t = typename cond<B, T, F>::type;
         using j = cond_t<true, int, char>; using l = cond_t<(sizeof(int) > 8), int, char>; using m = cond_t<!true, int, cond_t<1, long, short>>;
         template <int N> struct S { using t = int; }; template <> struct S<80> { using t = float; }; constexpr int arch = 80; using n = S<arch>::t; using o = S<arch + 1>::t;
         enum class E { A, B }; template <E e> struct Q { using t = int; }; template <> struct Q<E::B> { using t = float; }; using p = Q<E::B>::t; using q = Q<E::A>::t;",
        "a = char
         b = char
         c = double
         d = long [2]
         e = X<char, int>
         f = float &
         g = short
         h = char *
         i = const char
         j = int
         l = char
         m = long
         n = float
         o = int
         p = float
         q = int",
    );
}

#[test]
fn template_arguments_by_meaning() {
    types(
        "template <class T, int N = sizeof(T), bool B = (N > 4)> struct X { }; template <class... Ts> struct P { template <template <class...> class F> using to = F<Ts...>; };
         template <class... Ts> struct Q { }; template <class T, T V> struct C { }; template <unsigned char N> struct U { }; template <bool B> struct L { };
         template <class... Ts> using R = P<int, Ts...>; template <class... Ts> using W = P<Ts *...>; template <template <class...> class F> struct TT { };
         enum E { e0, e1 = 5 }; enum class S : char { s }; constexpr int n = 3;
         using a = X<double>; using b = X<int>; using c = X<char, 2 + n>; using d = P<int, float>; using e = P<>; using f = R<char, X<int>>; using g = W<int, char>;
         using h = C<int, 3>; using i = C<unsigned, -1>; using j = U<300>; using l = L<n>; using m = C<E, e1>; using o = TT<Q>; using p = X<int, (n << 2), n == 4>;
         using q = X<int, static_cast<int>(3.0 > 2.0)>; using r = P<P<int>, Q<>>; using s = X<int, true ? 3 : 4>;",
        "a = X<double, 8, true>
         b = X<int, 4, false>
         c = X<char, 5, true>
         d = P<int, float>
         e = P<>
         f = P<int, char, X<int, 4, false>>
         g = P<int *, char *>
         h = C<int, 3>
         i = C<unsigned int, 4294967295>
         j = U<44>
         l = L<true>
         m = C<E, 5>
         o = TT<Q>
         p = X<int, 12, false>
         r = P<P<int>, Q<>>
         s = X<int, 3, false>",
    );
}

#[test]
fn decltype_and_auto() {
    types(
        "int x; const float &f(int); struct S { double d; int *p; char m(); } s; int arr[3];
         using a = decltype(x); using b = decltype(f(1)); using c = decltype(s.d); using d = decltype(x + 1.0f); using e = decltype(1u << 3); using g = decltype(sizeof(int));
         using h = decltype(s.m()); using i = decltype(nullptr); using j = decltype(true && x); using l = decltype('c'); using m = decltype(3ll); using o = decltype(arr);",
        "a = int
         b = const float &
         c = double
         d = float
         e = unsigned int
         g = unsigned long
         h = char
         i = nullptr_t
         j = bool
         l = char
         m = long long
         o = int [3]",
    );
}

#[test]
fn a_type_by_pass() {
    types(
        "
#if __CUDA_ARCH__ >= 800
         using real = double;
#else
         using real = float;
#endif
         template <class T> struct Traits { using Element = real; static const int n = sizeof(T); }; struct Derived : Traits<real> { };
         using a = typename Derived::Element *; void f(real (&)[Derived::n]); struct same { real x; }; using b = same;",
        "a = float * [host]; double * [sm_80]
         f = void (float (&)[4]) [host]; void (double (&)[8]) [sm_80]
         b = same",
    );
}

#[test]
fn unknown_names_stay_as_spelled() {
    types(
        "using a = missing::T<int> *; template <class T> using V = std::vector<T, A<T>>; using b = V<float>; namespace n { struct S; } using c = n::S; using d = n::missing;
         using e = std::array<float, 2 + 2>; struct X : missing { }; using f = X::type; using g = const Undeclared &;",
        "a = missing::T<int> * ?
         b = std::vector<float, A<float>> ?
         c = n::S
         d = n::missing ?
         e = std::array<float, 4> ?
         f = X::type ?
         g = const Undeclared & ?",
    );
}

#[test]
fn definitions_that_go_in_circles_end() {
    types(
        "using A = B; using B = A; template <class T> struct X : X<T *> { using t = typename X<T **>::t; }; using a = A; constexpr int n = m; constexpr int m = n; using b = int[n];
         namespace q { using namespace q; using q::z; } using c = q::z; struct S : S { }; using d = S::none;",
        "d = S::none ?",
    );
}

// Constants

#[test]
fn arithmetic() {
    values(
        "constexpr int a = 1 + 2 * 3 - 8 / 3 % 2; constexpr unsigned b = 0u - 1; const long c = 1l << 40; constexpr int d = 7 >> 1 | 8 & 12 ^ 3; constexpr bool e = 3 > 2 && !(1 == 2);
         constexpr int f = -7 / 2, g = -7 % 3, h = ~0; constexpr unsigned char i = 300; constexpr int j = 2147483647; constexpr unsigned l = 1u << 31; constexpr long long m = -1 >> 1;
         constexpr bool n = -1 < 0u; constexpr int o = (unsigned char)257 + (int)3.9; constexpr int p = 'a' + '\\n'; constexpr int q = 0x1F + 010 + 0b11 + 1'000; constexpr int r = true ? 3 : 1 / 0;
         constexpr bool s = 5; constexpr int t = 5 and 0; constexpr auto u = 4u; static const int v{9}; constexpr int w(8); constexpr signed char x = 200; constexpr long y = 0xFFFFFFFF; constexpr long z = -2147483648;",
        "a = 7
         b = 4294967295
         c = 1099511627776
         d = 11
         e = true
         f = -3
         g = -1
         h = -1
         i = 44
         j = 2147483647
         l = 2147483648
         m = -1
         n = false
         p = 107
         q = 1042
         r = 3
         s = true
         t = 0
         u = 4
         v = 9
         w = 8
         x = -56
         y = 4294967295
         z = -2147483648",
    );
}

#[test]
fn enumerators() {
    values(
        "enum { A, B = 4, C, D = B * 2 + A, F = sizeof(int) }; enum class E : unsigned char { X = 255, Y = X - 1 }; enum G { G0 = A + 10, G1 }; namespace n { enum { K = 7 }; }
         struct S { enum { M = 3, N = M + 1 }; static constexpr int V = N * 2; };
         constexpr int a = C; constexpr int b = D; constexpr int c = static_cast<int>(E::Y); constexpr int d = G1; constexpr int e = G::G1 + n::K; constexpr int f = S::V + S::M; constexpr int g = int(E::X); constexpr int h = F;",
        "C = 5
         a = 5
         b = 8
         c = 254
         d = 11
         e = 18
         f = 11
         g = 255
         h = 4",
    );
}

#[test]
fn constants_of_templates() {
    values(
        "template <class T> constexpr int bits = sizeof(T) * 8; template <> constexpr int bits<bool> = 1; template <int N> struct F { static constexpr int v = N * F<N - 1>::v; }; template <> struct F<0> { static constexpr int v = 1; };
         template <class A, class B> struct same { static constexpr bool value = false; }; template <class A> struct same<A, A> { static constexpr bool value = true; };
         template <class A, class B> constexpr bool same_v = same<A, B>::value; template <class T, T v> struct integral { static constexpr T value = v; }; struct yes : integral<bool, true> { };
         template <class... T> constexpr int count = sizeof...(T);
         constexpr int a = bits<short>; constexpr int b = bits<bool>; constexpr int c = F<5>::v; constexpr bool d = same<int, int>::value; constexpr bool e = same_v<int, char>; constexpr bool f = yes::value; constexpr int g = count<int, char, float>;
         constexpr bool h = same_v<int *, int *>; template <> struct same<float, double> { enum { value = 1 }; }; constexpr bool i = same_v<float, double>;",
        "a = 16
         b = 1
         c = 120
         d = true
         e = false
         f = true
         g = 3
         h = true
         i = true",
    );
}

#[test]
fn constexpr_functions() {
    values(
        "constexpr int twice(int x) { return x * 2; } template <class T> constexpr int size() { return sizeof(T); } template <int N> constexpr int pick() { if constexpr (N > 3) return 1; else return 2; }
         constexpr int local(int x) { const int y = x + 1; constexpr int z = 3; return y * z; } constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         struct S { static constexpr int f(int x) { return x - 1; } static constexpr int n = 5; }; constexpr int branch(int x) { if (x > 3) return 1; return 2; } constexpr int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
         constexpr unsigned char narrow(int x) { return x; } constexpr int deflt(int x, int y = 4) { return x + y; } int ordinary() { return 3; } constexpr int mutated(int x) { x = x + 1; return x; }
         template <class T> constexpr int of(T x) { return sizeof(x); } constexpr int chain(int a) { if (a == 80) { return 8; } else if (a == 90) { return 9; } else { return 0; } }
         constexpr int a = twice(4) + 1; constexpr int b = size<double>(); constexpr int c = pick<4>() * 10 + pick<3>(); constexpr int d = local(3); constexpr int e = fib(7); constexpr int f = S::f(S::n);
         constexpr int g = branch(4); constexpr int h = branch(3); constexpr int i = narrow(300); constexpr int j = deflt(1); constexpr int l = of('c'); constexpr int m = chain(90); constexpr int n = chain(1);",
        "a = 9
         b = 8
         c = 12
         d = 12
         e = 13
         f = 4
         g = 1
         h = 2
         i = 44
         j = 5
         l = 1
         m = 9
         n = 0",
    );
}

#[test]
fn what_is_no_constant_has_no_value() {
    values(
        "int v = 3; const int c = f(); extern const int x;
         constexpr int endless(int n) { while (true) n ^= 1; return n; } constexpr int stored(int n) { int all[2] = {}; all[n] = n; return n; }
         constexpr int open(int n) { int y = 1; if (unknown) { y = n; } return y; } constexpr int thrown(int n) { if (n > 2) throw n; return n; }
         constexpr int nothing(int n) { while (n > 5) { return n; } }
         int ordinary() { return 3; } constexpr int a = v; constexpr int b = endless(3); constexpr int d = stored(1); constexpr int e = open(1); constexpr int f = thrown(3); constexpr int o = nothing(5); constexpr int g = 1 / 0; constexpr int h = unknown; constexpr int i = ordinary();
         constexpr bool j = unknown && false; constexpr bool k = false && unknown; constexpr bool l = true || unknown; constexpr bool m = unknown || true; constexpr bool n = 1 && unknown;",
        "v = v
         c = c
         x = x
         a = a
         b = b
         d = d
         e = e
         f = f
         o = o
         g = g
         h = h
         i = i
         j = false
         k = false
         l = true
         m = true
         n = n",
    );
}

#[test]
fn constexpr_functions_run() {
    values(
        "constexpr int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
         constexpr int next(int x) { x = x + 1; return x; }
         constexpr int branch(int x) { int y = 1; if (x > 1) { int y = 7; y += 1; } else if (x) { y = 2; } else y = 3; return y; }
         constexpr int log2(unsigned n) { int bits = -1; do { ++bits; } while (n >>= 1); return bits; }
         constexpr int odd(int n) { int s = 0, i = 0; while (true) { if (++i_ > n) break; } return s; }
         constexpr int skip(int n) { int s = 0; for (int i = 0, j = n; i < j; ++i, --j) { if (i % 2) continue; if (s > 100) break; s += j; } return s; }
         constexpr int size(int kind) { switch (kind) { case 0: return 1; case 1: case 2: { int wide = 4; return wide; } case 3: kind = 8; default: kind += 1; break; } return kind; }
         constexpr int wrap(int n) { unsigned char small = 250; small += n; return small; }
         constexpr int checked(int n) { if (n < 0) throw n; static_assert(sizeof(int) == 4, \"\"); using wide = long; return n + sizeof(wide); }
         constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
         template <class T, int N> constexpr int bytes() { int all = 0; for (int i = 0; i < N; ++i) { all += sizeof(T); } return all; }
         template <int... N> struct All { static constexpr int sum = (N + ... + 100), less = (N - ...), product = (... * N); static constexpr bool every = (... && (N > 0)); };
         constexpr int a = sum(5); constexpr int b = next(3); constexpr int c = branch(2); constexpr int d = branch(1); constexpr int e = branch(0); constexpr int f = log2(300);
         constexpr int g = odd(3); constexpr int h = skip(9); constexpr int i = size(0); constexpr int j = size(2); constexpr int k = size(3); constexpr int l = size(9); constexpr int m = wrap(10); constexpr int n = checked(2);
         constexpr int o = gcd(12, 18); constexpr int p = bytes<double, 3>(); constexpr int q = All<1, 2, 3>::sum; constexpr int r = All<1, 2, 4>::less; constexpr int s = All<2, 3, 4>::product; constexpr bool t = All<>::every; constexpr bool u = All<1, 0>::every;",
        "a = 10
         b = 4
         c = 1
         d = 2
         e = 3
         f = 8
         g = g
         h = 21
         i = 1
         j = 4
         k = 9
         l = 10
         m = 4
         n = 10
         o = 6
         p = 24
         q = 106
         r = 3
         s = 24
         t = true
         u = false",
    );
}

#[test]
fn sizeof_and_alignof() {
    values(
        "struct S { char c; double d; }; struct alignas(32) A { int x; }; extern S s; int arr[6]; template <class T> struct H { T a, b; }; typedef short T2[5];
         constexpr int a = sizeof(S); constexpr int b = alignof(S); constexpr int c = sizeof(s.c); constexpr int d = sizeof arr / sizeof(arr[0]); constexpr int e = alignof(A) + sizeof(A); constexpr int f = sizeof(H<S>); constexpr int g = sizeof(T2); constexpr int h = sizeof(S *);
         constexpr int i = sizeof(int &); constexpr int j = sizeof(float4); constexpr int l = sizeof(long double);",
        "a = 16
         b = 8
         c = 1
         d = 6
         e = 64
         f = 32
         g = 10
         h = 8
         i = 4
         j = 16",
    );
}

// Layouts

#[test]
fn layouts_of_classes() {
    sizes(
        "struct Pad { char a; int b; char c; }; struct Nest { char x; Pad p; short y[3]; }; union U { char a[5]; int b; double *p; };
         struct alignas(16) Al { int x; }; struct HasAl { char c; Al a; }; struct alignas(Pad) AlT { char c; }; struct Member { alignas(8) char a; char b; }; struct __align__(8) Al8 { char c; __align__(4) char d; };
         struct Static { static int s; static constexpr int n = 3; int x; void f(); using T = int; enum { K }; }; struct Ref { int &r; char c; }; struct FP { void (*f)(int); char c; }; struct Arr { char a[2][3]; int n; };
         template <class T, int N> struct TA { T t[N]; char c; }; using TAi = TA<int, 3>; enum E : char { e }; enum class F { f }; struct En { E a; F b; };
         struct Fwd; struct HasFwd { Fwd *p; }; struct Bad { Unknown u; }; struct Anon { int a; union { char b; double c; }; struct { short d; } e; enum { X } f; };
         struct Aligned { char c; } __attribute__((aligned(4))); struct __attribute__((packed)) Packed { char c; int i; }; struct Vec { float4 a; char b; }; struct Unk { Fwd f; };",
        "Pad = 12/4
         Nest = 24/4
         U = 8/8
         Al = 16/16
         HasAl = 32/16
         AlT = 4/4
         Member = 8/8
         Al8 = 8/8
         Static = 4/4
         Ref = 16/8
         FP = 16/8
         Arr = 12/4
         TAi = 16/4
         En = 8/4
         Fwd = unknown
         HasFwd = 8/8
         Bad = unknown
         Anon = 24/8
         Aligned = 4/4
         Packed = 5/1
         Vec = 32/16
         Unk = unknown",
    );
}

#[test]
fn layouts_of_derived_classes() {
    sizes(
        "struct Empty { }; struct FromEmpty : Empty { int x; }; struct Pod { int a; char b; }; struct Derived : Pod { char c; }; struct Again : Derived { char d; };
         struct Virtual { virtual void f(); int x; }; struct Overrides : Virtual { void f() override; int y; }; struct Both : Pod, Empty { double d; }; struct Later : Pod, Virtual { char c; };
         struct Ctor { Ctor(); int a; char b; }; struct AfterCtor : Ctor { char c; }; class Private { int a; char b; }; struct AfterPrivate : Private { char c; }; struct Holds { Ctor c; char d; }; struct AfterHolds : Holds { char e; };
         struct Same : Empty { Empty e; }; struct VirtualBase : virtual Pod { int z; }; struct Bits : Pod { char q : 3; }; template <class T> struct Of : T { char c; }; using OfPod = Of<Pod>; struct OnlyFunctions : Empty { void f(); static int s; };",
        "Empty = 1/1
         FromEmpty = 4/4
         Pod = 8/4
         Derived = 12/4
         Again = 12/4
         Virtual = 16/8
         Overrides = 16/8
         Both = 16/8
         Later = 24/8
         Ctor = 8/4
         AfterCtor = 8/4
         AfterPrivate = 8/4
         AfterHolds = 12/4
         Same = unknown
         VirtualBase = unknown
         Bits = 12/4
         OfPod = 12/4
         OnlyFunctions = 1/1",
    );
}

#[test]
fn bit_fields() {
    sizes(
        "struct A { int a : 3; int b : 5; }; struct B { int a : 30; int b : 5; }; struct C { char c; int a : 9; }; struct D { int a : 3; int : 0; int b : 3; }; struct E { unsigned char a : 4, b : 4; short c : 9; };
         struct F { int a : 3; char c; }; struct G { char a; int : 0; char b; }; struct H { bool a : 1; long b : 40; long c : 30; }; struct I { int a : 3; int : 5; char c; }; union J { int a : 3; char b; }; struct K { char c; int : 4; };
         constexpr int width = 12; struct L { unsigned x : width, y : 32 - width; }; struct M { int x : unknown; };",
        "A = 4/4
         B = 8/4
         C = 4/4
         D = 8/4
         E = 4/2
         F = 4/4
         G = 5/1
         H = 16/8
         I = 4/4
         J = 4/4
         K = 2/1
         L = 4/4
         M = unknown",
    );
}

// Deduction and overloads

#[test]
fn deduction_from_calls() {
    types(
        "template <class T> struct X { }; template <class T> X<T> v(T); template <class T> X<T> p(T *); template <class T> X<T> cp(const T *); template <class T> X<T> r(T &); template <class T> X<T> cr(const T &); template <class T, int N> struct A { }; template <class T, int N> A<T, N> arr(T (&)[N]);
         template <class T, class U> X<U> two(T, U); template <class T, class U = T *> X<U> deflt(T); template <class T> X<T> fn(T (*)(int)); template <class T> X<T> nested(X<X<T>>); template <class... Ts> struct P { }; template <class... Ts> P<Ts...> pack(Ts...);
         template <class T> struct B { }; struct D : B<short> { }; template <class T> X<T> base(B<T>); template <template <class> class F, class T> X<T> tt(F<T>); template <class T> struct S { template <class U> A<U, sizeof(T)> m(U); static X<T> s(); T t; X<T> self(); };
         int i; const int ci = 1; float f[4]; const char *s; double g(int); X<X<long>> xx; int &ref = i; S<double> sd; S<char> *sp; enum E { e0 }; unsigned char uc; short sh; bool bo;
         using a = decltype(v(1)); using b = decltype(v(ci)); using c = decltype(v(f)); using d = decltype(p(f)); using e = decltype(p(s)); using h = decltype(cp(s)); using j = decltype(r(ci)); using k = decltype(r(f)); using l = decltype(cr(ref)); using m = decltype(arr(f));
         using n = decltype(two<int>(1.0, 2.f)); using o = decltype(deflt('c')); using q = decltype(fn(g)); using t = decltype(nested(xx)); using u = decltype(pack(1, 2u, s)); using x = decltype(base(D())); using y = decltype(tt(xx));
         using z = decltype(sd.m(1)); using aa = decltype(sp->m(1.f)); using ab = decltype(S<int>::s()); using ac = decltype(v(e0)); using ad = decltype(v(uc + sh)); using ae = decltype(v(-bo)); using af = decltype(v(sd.t)); using ag = decltype(sd.self().self); using ah = decltype(v(i ? 1 : 2.0));
         using ai = decltype(v(&g)); using aj = decltype(pack<char>(1, 2)); using ak = decltype(v<long>(1)); using al = decltype(v(\"text\")); using am = decltype(v(i == 1)); using an = decltype(v(f + 1)); using ao = decltype(v(f[1])); using ap = decltype(v(*s)); using aq = decltype(v(static_cast<short>(1)));",
        "a = X<int>
         b = X<int>
         c = X<float *>
         d = X<float>
         e = X<const char>
         h = X<char>
         j = X<const int>
         k = X<float [4]>
         l = X<int>
         m = A<float, 4>
         n = X<float>
         o = X<char *>
         q = X<double>
         t = X<long>
         u = P<int, unsigned int, const char *>
         x = X<short>
         y = X<X<long>>
         z = A<int, 8>
         aa = A<float, 1>
         ab = X<int>
         ac = X<E>
         ad = X<int>
         ae = X<int>
         af = X<double>
         ah = X<double>
         ai = X<double (*)(int)>
         aj = P<char, int>
         ak = X<long>
         al = X<const char *>
         am = X<bool>
         an = X<float *>
         ao = X<float>
         ap = X<char>
         aq = X<short>",
    );
}

#[test]
fn overloads_are_chosen_by_their_arguments() {
    types(
        "template <int N> struct R { }; R<1> f(int); R<2> f(double); template <class T> R<3> f(T); template <class T> R<4> f(T *); R<5> f(int, int = 0); R<6> g(const float *); R<7> g(const double *); template <class T> R<8> h(T, T); R<9> h(double, int); R<10> many(...); R<11> conv(long); enum class E { a }; R<12> en(E); R<13> en(int);
         template <bool B, class T = void> struct enable_if { }; template <class T> struct enable_if<true, T> { using type = T; }; template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
         template <int N> enable_if_t<(N > 3), R<20>> res(); template <int N> enable_if_t<(N <= 3), R<21>> res(); template <int N, class = enable_if_t<(N > 3)>> R<22> arg(); template <int N, enable_if_t<(N <= 3), int> = 0> R<23> arg(); template <int N> R<24> par(enable_if_t<(N > 3)> * = nullptr); template <int N> R<25> par(enable_if_t<(N <= 3)> * = nullptr);
         template <int N> typename enable_if<N == 1, R<26>>::type old(int); template <int N> typename enable_if<N != 1, R<27>>::type old(int); struct S { R<30> m(int); R<31> m(double) const; template <class T> R<32> m(T *); } s; float *fp; double *dp; namespace n { R<40> f(int); }
         using a = decltype(f(1)); using b = decltype(f(1.0)); using c = decltype(f(1.f)); using d = decltype(f(fp)); using e = decltype(f('c')); using g1 = decltype(g(fp)); using g2 = decltype(g(dp)); using h1 = decltype(h(1, 2)); using h2 = decltype(h(1.0, 2)); using i = decltype(conv(1)); using j = decltype(en(E::a)); using k = decltype(en(3));
         using l = decltype(res<4>()); using m = decltype(res<3>()); using n1 = decltype(arg<4>()); using n2 = decltype(arg<3>()); using o = decltype(par<4>()); using p = decltype(par<3>()); using q = decltype(old<1>(0)); using r = decltype(old<2>(0)); using t = decltype(s.m(1)); using u = decltype(s.m(2.0)); using v = decltype(s.m(fp)); using w = decltype(f<int>(3)); using x = decltype(n::f(3)); using y = decltype(f(1, 2));",
        "b = R<2>
         c = R<3>
         d = R<4>
         e = R<3>
         g1 = R<6>
         g2 = R<7>
         h1 = R<8>
         h2 = R<9>
         i = R<11>
         j = R<12>
         k = R<13>
         l = R<20>
         m = R<21>
         n1 = R<22>
         n2 = R<23>
         o = R<24>
         p = R<25>
         q = R<26>
         r = R<27>
         t = R<30>
         u = R<31>
         v = R<32>
         w = R<3>
         x = R<40>
         y = R<5>",
    );
}

// Instantiations

#[test]
fn mentions_that_instantiate() {
    let mentions = [
        "void f() { k<real><<<1, 1>>>(nullptr); }",
        "void f(real *p) { k<<<1, 1>>>(p); }",
        "inline void f() { k<real><<<1, 1>>>(nullptr); }",
        "static void f() { if (false) k<real><<<1, 1>>>(nullptr); }",
        "void f() { (void)&k<real>; }",
        "void f() { void (*p)(real *) = k<real>; }",
        "void (*table[])(real *) = { k<real>, nullptr };",
        "void g(void *); void f() { g((void *)k<real>); }",
        "struct S { void f() { k<real><<<1, 1>>>(nullptr); } };",
        "struct S { virtual void f(); }; void S::f() { k<real><<<1, 1>>>(nullptr); }",
        "struct S { struct I { ~I() { k<real><<<1, 1>>>(nullptr); } }; };",
        "struct S { S() : x((k<real><<<1, 1>>>(nullptr), 1)) { } int x; };",
        "template <void (*F)(real *)> void run() { } void f() { run<&k<real>>(); }",
        "template <auto F> struct Run { }; void f() { Run<k<real>> r; }",
        "template <class F> void call(F); void f() { call(k<real>); }",
        "template __global__ void k<real>(real *);",
        "template __global__ void k(real *);",
        "template <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } }; template struct X<real>;",
        "template <class T> void f() { k<T><<<1, 1>>>(nullptr); } template void f<real>();",
        "template <class T> void f() { k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "template <class T> void f(T *p) { k<<<1, 1>>>(p); } void g(real *p) { f(p); }",
        "template <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real> x; x.f(); }",
        "template <class T> struct X { static void f() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real>::f(); }",
        "template <class T> struct X { X() { k<T><<<1, 1>>>(nullptr); } }; X<real> x;",
        "template <class T> struct X { ~X() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real> x; }",
        "template <class T> struct X { X(T *) { k<T><<<1, 1>>>(nullptr); } }; void g(real *p) { X<real>{p}; }",
        "template <class T> struct X { void operator()() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real>()(); }",
        "template <class T> struct X { void f(); }; template <class T> void X<T>::f() { k<T><<<1, 1>>>(nullptr); } void g(X<real> &x) { x.f(); }",
        "template <class T> struct B { void f() { k<T><<<1, 1>>>(nullptr); } }; template <class T> struct D : B<T> { void g() { this->f(); } }; void h(D<real> *d) { d->g(); }",
        "template <class T> struct B { void f() { k<T><<<1, 1>>>(nullptr); } }; struct D : B<real> { }; void h(D *d) { d->f(); }",
        "void f() { auto l = [&](auto x) { k<real><<<1, 1>>>(nullptr); }; l(1); }",
        "template <class F> void dispatch(F f); void f() { dispatch([&] { dispatch([&] { k<real><<<1, 1>>>(nullptr); }); }); }",
        "void f(int n) { switch (n) { case 1: k<real><<<1, 1>>>(nullptr); } }",
        "void f(int n) { for (int i = 0; i < n; i++) { k<real><<<1, 1>>>(nullptr); } }",
        "void f() try { k<real><<<1, 1>>>(nullptr); } catch (...) { }",
        "namespace n { namespace { void f() { ::k<real><<<1, 1>>>(nullptr); } } }",
        "extern \"C\" void f() { k<real><<<1, 1>>>(nullptr); }",
        "void f() { using T = real; k<T><<<1, 1>>>(nullptr); }",
        "void f() { struct L { void g() { k<real><<<1, 1>>>(nullptr); } }; }",
        "void f() { void *args[] = { nullptr }; cudaLaunchKernel((const void *)k<real>, 1, 1, args, 0, 0); }",
        "void f() { cudaFuncSetAttribute(k<real>, 1, 2); }",
        "void f() { auto kernel = &k<real>; kernel<<<1, 1>>>(nullptr); }",
        "#define RUN(...) __VA_ARGS__<<<1, 1>>>(nullptr)\nvoid f() { RUN(k<real>); }",
        "int g(void *); int x = g((void *)&k<real>);",
        "void f(int n) { return n ? k<real><<<1, 1>>>(nullptr) : void(); }",
        "template <class T> void f() { if constexpr (sizeof(T) > 1) k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "template <class T> void f() { if constexpr (sizeof(T) < 2) { } else if constexpr (sizeof(T) < 9) { k<T><<<1, 1>>>(nullptr); } } void g() { f<real>(); }",
    ];
    each_instantiates(&mentions, "host: k<double, 1>\nsm_80: k<float, 1>");
}

#[test]
fn mentions_that_do_not_instantiate() {
    let mentions = [
        "using F = decltype(&k<real>);",
        "void f() { decltype(k<real>(nullptr)) *p; }",
        "void f() { if constexpr (false) k<real><<<1, 1>>>(nullptr); }",
        "void f() { if constexpr (sizeof(int) == 4) { } else if constexpr (true) k<real><<<1, 1>>>(nullptr); }",
        "void f() { if constexpr (sizeof(int) == 4) { } else if constexpr (true) { } else { k<real><<<1, 1>>>(nullptr); } }",
        "template <class T> void f() { k<real><<<1, 1>>>(nullptr); }",
        "template <class T> struct X { void f() { k<real><<<1, 1>>>(nullptr); } void g() { } }; void g() { X<int> x; x.g(); }",
        "template <class T> struct X { template <class U> void f() { k<real><<<1, 1>>>(nullptr); } }; template struct X<int>;",
        "template <class T> struct X { X() { k<real><<<1, 1>>>(nullptr); } }; void g(X<int> *p); X<int> *q;",
        "extern template __global__ void k<real>(real *); void f() { k<real><<<1, 1>>>(nullptr); }",
        "template <class T> void f() { if constexpr (sizeof(T) > 8) k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "constexpr bool on = false; void f() { if constexpr (on && sizeof(real)) { k<real><<<1, 1>>>(nullptr); } }",
        "void f() { (void)sizeof(k<real>(nullptr)); (void)noexcept(k<real>(nullptr)); }",
    ];
    each_instantiates(&mentions, "");
}

#[test]
fn instantiations_with_the_arguments_of_the_place() {
    instantiations(
        "template <class T> struct Traits { using E = T; static constexpr int n = sizeof(T); }; template <class P, int N = P::n> void f() { k<typename P::E, N><<<1, 1>>>(nullptr); } void g() { f<Traits<real>>(); }",
        "host: k<double, 8>
         sm_80: k<float, 4>",
    );
    instantiations(
        "template <class... Ts> void all() { (k<Ts><<<1, 1>>>(nullptr), ...); } void g() { all<real, int>(); }",
        "host: k<double, 1>
         sm_80: k<float, 1>",
    );
    instantiations(
        "template <class T, class F> void with(F f) { f(T()); } void g() { with<real>([](auto t) { k<decltype(t)><<<1, 1>>>(nullptr); }); }",
        "",
    );
    instantiations(
        "template <int N> void f() { k<char, N><<<1, 1>>>(nullptr); if constexpr (N > 1) f<N / 2>(); } void g() { f<sizeof(real)>(); }",
        "host: k<char, 8>",
    );
    instantiations(
        "template <bool B> __global__ void b() { } void g() { b<(sizeof(real) > 4)><<<1, 1>>>(); }",
        "host: b<true>
         sm_80: b<false>",
    );
    instantiations(
        "void launch(float *p) { k<<<1, 1>>>(p); } void launch(double *p) { k<<<1, 1>>>(p); } void g(real *p) { launch(p); }",
        "",
    );
    instantiations(
        "template <class T> void pick(T *p) { k<T><<<1, 1>>>(p); } void pick(double *p) { } void g(real *p) { pick(p); }",
        "sm_80: k<float, 1>",
    );
    instantiations(
        "enum Kind { a = sizeof(real), b }; void g() { k<int, b><<<1, 1>>>(nullptr); }",
        "host: k<int, 9>
         sm_80: k<int, 5>",
    );
    instantiations(
        "template <class T> struct X { template <class U> struct Y { void f() { k<T, sizeof(U)><<<1, 1>>>(nullptr); } }; }; void g() { X<int>::Y<real> y; y.f(); }",
        "host: k<int, 8>
         sm_80: k<int, 4>",
    );
}

// Facts and their causes

#[test]
fn kernels_are_told_by_their_types() {
    check(
        "#if __CUDA_ARCH__ >= 800
         using real = double;
         #else
         using real = float;
         #endif
         using alias = real;
         __global__ void k(alias *p, int n) { }
         __global__ void same(int n) { alias x; }
         template <class T> __global__ void t(T x, alias y);
         namespace n { __device__ alias table[4]; extern __constant__ alias one; __managed__ int fine; }
         static __device__ alias *pointer;",
        "75,80",
        "kernel k: (float *, int) [host,sm_75], (double *, int) [sm_80]; defined [*] because 1:#if __CUDA_ARCH__ >= 800
         kernel template t: template<typename>($0, float) [host,sm_75], template<typename>($0, double) [sm_80]; defined [-] because 1:#if __CUDA_ARCH__ >= 800
         `__device__` variable n::table: float [4] [host,sm_75], double [4] [sm_80]; defined [*] because 1:#if __CUDA_ARCH__ >= 800
         `__constant__` variable n::one: float [host,sm_75], double [sm_80]; defined [-] because 1:#if __CUDA_ARCH__ >= 800
         `__device__` variable pointer: float * [host,sm_75], double * [sm_80]; defined [*] because 1:#if __CUDA_ARCH__ >= 800",
    );
}

#[test]
fn a_kernel_in_some_passes_only() {
    check(
        "#ifndef __CUDA_ARCH__
         #define HOST
         #endif
         #if defined(HOST) || __CUDA_ARCH__ >= 800
         __global__ void k(int x) { }
         #else
         __global__ void k(int x);
         #endif",
        "75,80",
        "kernel k: (int) [*]; defined [host,sm_80] because 4:#if defined(HOST) || __CUDA_ARCH__ >= 800",
    );
}

#[test]
fn the_guard_round_a_mention_is_blamed_before_those_in_what_it_mentions() {
    check(
        "template <class T> __global__ void k(T x) {
         #if __CUDA_ARCH__ >= 800
             f(x);
         #endif
         }
         template <class T> void launch(T x) {
         #ifndef __CUDA_ARCH__
             k<<<1, 1>>>(x);
         #endif
         }
         void g() {
         #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
             launch(1);
         #endif
         }",
        "75,80",
        "k<int> [host] at 8 from 13 because 7:#ifndef __CUDA_ARCH__",
    );
}

#[test]
fn an_argument_is_blamed_on_the_conditional_it_depends_on() {
    check(
        "#if __CUDA_ARCH__ >= 900
         #define WIDE 1
         #else
         #define WIDE 0
         #endif
         struct Config { static constexpr int threads = WIDE ? 256 : 128; };
         template <int N> __global__ void k() { }
         void g() { k<Config::threads><<<1, 1>>>(); }",
        "80,90",
        "k<128> [host,sm_80] at 8 because 1:#if __CUDA_ARCH__ >= 900
         k<256> [sm_90] at 8 because 1:#if __CUDA_ARCH__ >= 900",
    );
}

#[test]
fn one_instantiation_with_two_signatures() {
    check(
        "template <class T> struct Traits {
         #ifdef __CUDA_ARCH__
             using E = double;
         #else
             using E = float;
         #endif
         };
         template <class T> __global__ void k(typename Traits<T>::E x) { }
         void g() { k<int><<<1, 1>>>(1); }",
        "80",
        "kernel template k: template<typename>(float) [host], template<typename>(double) [sm_80]; defined [*] because 2:#ifdef __CUDA_ARCH__
         k<int> [*] at 9 because 2:#ifdef __CUDA_ARCH__
         takes (float) [host]
         takes (double) [sm_80]",
    );
}

#[test]
fn classes_whose_bytes_differ() {
    check(
        "struct Inner { int n;
         #ifndef __CUDA_ARCH__
             int *cache;
         #endif
         };
         struct Outer { char c; Inner inner; struct { Inner deep; } unnamed; int flags : 3; };
         template <class T> struct View { T *data; };
         __global__ void k(Outer o, const View<Outer> *v);
         __constant__ Inner table[2];",
        "80",
        "class Inner { int n; int *cache } 16 [host] because 2:#ifndef __CUDA_ARCH__
         class Inner { int n } 4 [sm_80] because 2:#ifndef __CUDA_ARCH__",
    );
}

#[test]
fn anonymous_members_belong_to_their_class() {
    check(
        "struct S { int a; union { char b;
         #ifdef __CUDA_ARCH__
             double c;
         #endif
         }; };
         __global__ void k(S s);",
        "80",
        "class S { int a; union { char b } } 8 [host] because 2:#ifdef __CUDA_ARCH__
         class S { int a; union { char b; double c } } 16 [sm_80] because 2:#ifdef __CUDA_ARCH__",
    );
}

#[test]
fn an_alignment_by_pass() {
    check(
        "#ifdef __CUDA_ARCH__
         #define ALIGN 16
         #else
         #define ALIGN 8
         #endif
         struct S { alignas(ALIGN) char a; }; struct __align__(ALIGN) T { char a; }; struct __attribute__((aligned(ALIGN))) U { char a; };
         __global__ void k(S s, T t, U u);",
        "80",
        "class S { alignas(8) char a } 8 [host] because 1:#ifdef __CUDA_ARCH__
         class S { alignas(16) char a } 16 [sm_80] because 1:#ifdef __CUDA_ARCH__
         class T { alignas(8); char a } 8 [host] because 1:#ifdef __CUDA_ARCH__
         class T { alignas(16); char a } 16 [sm_80] because 1:#ifdef __CUDA_ARCH__
         class U { alignas(8); char a } 8 [host] because 1:#ifdef __CUDA_ARCH__
         class U { alignas(16); char a } 16 [sm_80] because 1:#ifdef __CUDA_ARCH__",
    );
}

#[test]
fn prototypes_with_array_declarators_are_functions() {
    check(
        "#ifdef __CUDA_ARCH__
         using real = double;
         #else
         using real = float;
         #endif
         __global__ void k(real (*m)[4]);
         __global__ void l(real (&m)[4], int);
         __global__ void l(real (&m)[4], int) { }",
        "80",
        "kernel k: (float (*)[4]) [host], (double (*)[4]) [sm_80]; defined [-] because 1:#ifdef __CUDA_ARCH__
         kernel l: (float (&)[4], int) [host], (double (&)[4], int) [sm_80]; defined [*] because 1:#ifdef __CUDA_ARCH__",
    );
}

/// The C library's headers and the C++ library's name each other's functions so.
#[test]
fn using_declarations_that_lead_to_each_other_name_each_function_once() {
    let mut source = String::from("int f(int); long f(long);\nnamespace std {}\n");
    for _ in 0..8 {
        source += "namespace std { using ::f; int f(char); }\nusing std::f;\n";
    }
    let fixture = Fixture::new(&source, "80");
    let world = World::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all());
    let view = View::new(&world, 0);
    let hit = view.unqualified(Symbol::intern("f"), &Env::namespace(ScopeId::GLOBAL));
    let Hit::Entities(entities) = hit else { panic!("{hit:?}") };
    assert_eq!(entities.len(), 2 + 8);
    assert!(!view.left_open.get());
}
