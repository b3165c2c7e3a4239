//! The syntax stage on small declarations: what is rewritten, what the map back says.

use std::path::Path;

use crate::preprocess::PpToken;
use crate::source::{Sources, Span, lex};
use crate::target::PassSet;

use super::*;

/// Parses `source`, which must leave no errors, and compares the text that the grammar saw.
fn check(source: &str, expected: &str) {
    let parsed = parse(&tokens(source));
    assert_eq!(parsed.text, expected);
    assert_eq!(parsed.error_bytes, 0, "{}\n{}", parsed.text, parsed.tree.root_node().to_sexp());
}

/// The same, whatever blanks are left.
fn leaves(source: &str, expected: &str) {
    let parsed = parse(&tokens(source));
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(bare(&parsed.text), bare(expected), "{source}");
    assert_eq!(parsed.error_bytes, 0, "{}\n{}", parsed.text, parsed.tree.root_node().to_sexp());
}

fn tokens(source: &str) -> Vec<PpToken> {
    let file = Sources::new().add(Path::new("a.cu"), source.to_string()).id;
    let token = |token: crate::source::Token| {
        let at = Span { file, start: token.offset, end: token.end };
        PpToken {
            kind: token.kind,
            space_before: token.space_before,
            line_start: token.line_start,
            text: token.text,
            passes: PassSet::HOST,
            at,
            spelled: at.loc(),
            expansion: None,
            group: None,
        }
    };
    lex(source).into_iter().map(token).collect()
}

#[test]
fn execution_space_words_are_lifted_out() {
    check(
        "template <class T> __global__ void __launch_bounds__(256, 2) k(const __grid_constant__ int x, T *__restrict p) \
         { __shared__ T s[3]; auto f = [=] __device__ (int n) mutable { return n; }; }",
        "template <class T> void k(const int x, T *__restrict__ p) { T s[3]; auto f = [=] (int n) mutable { return n; }; }",
    );
    check("static __device__ __forceinline__ int f();", "static int f();");
    check("struct __align__(16) S { __host__ __device__ S(); };", "struct alignas(16) S { S(); };");
    check("__constant__ __align__(8) float t[3];", "alignas(8) float t[3];");
}

#[test]
fn attributes_and_assembly_are_lifted_out() {
    check(
        "[[nodiscard]] __attribute__((noinline)) int f(int x) { asm volatile(\"{\" \"}\" : \"=r\"(x) : \"r\"(x)); return a[[]{ return 0; }()]; }",
        "int f(int x) { ; return a[ []{ return 0; }()]; }",
    );
}

#[test]
fn launches_become_calls() {
    check("void f() { k<T><<<g, b>>>(x); }", "void f() { k<T>(g, b)(x); }");
    check(
        "void f() { k<A<B<int>>><<<dim3(1, 2), 32, 0, s>>>(x, 1); }",
        "void f() { k<typename A<typename B<int>> >(dim3(1, 2), 32, 0, s)(x, 1); }",
    );
    check(
        "void f() { k<<<blocks<A<B<int>>>(n), n >> 3>>>(x); }",
        "void f() { k(blocks<typename A<typename B<int>> >(n), n >> 3)(x); }",
    );
    check("void f() { k << <1, 2 >> > (x); }", "void f() { k ( 1, 2 ) (x); }");
    let parsed = parse(&tokens("void f() { k<T><<<g, b>>>(x); a << b; c<d>(e)(f); }"));
    assert_eq!(parsed.launches.len(), 1);
    let launches: Vec<&str> = Query::uses()
        .candidates(&parsed, parsed.tree.root_node(), None)
        .into_iter()
        .filter(|node| parsed.is_launch(*node))
        .map(|node| parsed.text_of(node))
        .collect();
    assert_eq!(launches, ["k<T>(g, b)(x)"]);
}

#[test]
fn explicit_instantiations() {
    check("template class N::X<float>;", "class N::X<float>;");
    check("extern template struct X<float>;", "struct X<float>;");
    check("extern template __global__ void f<float, 3>(float *);", "template void f<float, 3>(float *);");
    check("template void f(float *);", "template void f(float *);");
}

#[test]
fn gaps_of_the_grammar() {
    check(
        "template <class T, enable_if_t<T::v>* = nullptr> void f(T x = {}, T y = {1, 2});",
        "template <class T, enable_if_t<T::v> * unnamed_= nullptr> void f(T x = unnamed_{}, T y = unnamed_{1, 2});",
    );
    check(
        "template <class... T> void f(T *...p) { g((n * ...)); }",
        "template <class... T> void f(T *p) { g((n * ...)); }",
    );
    check(
        "template <class... T> void f(int, T *...);",
        "template <class... T> void f(int, T *unnamed_pack_);",
    );
    check(
        "template <class C, class M> void f(M C::*);",
        "template <class C, class M> void f(M (*)(pointer_to_data_of_<C>));",
    );
    check(
        "void f() { g(a, typename X::T{}); return typename X<int>::type(3); }",
        "void f() { g(a, X::T{}); return X<int> ::type(3); }",
    );
    check(
        "template <class T> auto f(T t) -> decltype((void)T::id, void());",
        "template <class T> auto f(T t) -> decltype(((void)T::id, void()));",
    );
    check(
        "void f() { this->operator=(t); x.operator()(y); a->*next; typeid(double).name(); }",
        "void f() { this->operator_(t); x.operator_(y); a.*next; sizeof(double).name(); }",
    );
    check("__typeof__(x) y;", "decltype(x) y;");
    check("const char *s = \"a\" \"b\" R\"(c)\";", "const char *s = \"a\" \"b\" R\"(c)\";");
    check("unsigned __int128 x;", "unsigned __int128 x;");
}

#[test]
fn values_of_types_the_grammar_has_no_values_of() {
    check(
        "void f() { auto n = decltype(a){}; g(typename decltype(a)::B{}); x |= (unsigned(y) << 3); operator()(n); }",
        "void f() { auto n = decltype_<(a)>{}; g( decltype_<(a)> ::B{}); x |= (uint32_t(y) << 3); operator_(n); }",
    );
    check("auto f(A<B> &a) -> decltype(g(a)) { }", "auto f(A<B> &a) -> decltype(g(a)) { }");
    check("void f(A<B> const &a, C<D, E> &b) = delete;", "void f(A<B> const &a, C<D, E> &b) ;");
    check("struct A : decltype(f()) { };", "struct A : decltype_<(f())> { };");
    check(
        "unsigned (*fp)(int); void f() { new const float *[n]; }",
        "unsigned (*fp)(int); void f() { new float [n]; }",
    );
}

#[test]
fn the_operands_of_built_in_type_traits_are_types() {
    check(
        "using A = B<__is_constructible(T, U const &, int), !__is_same(C<D<int>>, T *)>;",
        "using A = B<__is_constructible((T)0, ( U const &)0, ( int)0), !__is_same((C<typename D<int>>)0, ( T *)0)>;",
    );
    check(
        "bool f() { return __is_pod(T[2]) && std::__is_enum(x) && __is_constructible(T, A<B, C> *...); }",
        "bool f() { return __is_pod((T[2])0) && std::__is_enum(x) && __is_constructible((T)0, ( A<B, C> *)0 ...); }",
    );
    check("constexpr bool __is_void(int x);", "constexpr bool __is_void(int x);");
}

#[test]
fn comparisons_in_template_arguments() {
    check(
        "using T = conditional<N >= 3, A, B<C> >::type; template <bool R = size<T>::value >= 32> struct X;",
        "using T = conditional<N <= 3, A, typename B<C> > ::type; template <bool R = size<T> ::value <= 32> struct X;",
    );
    check(
        "void f() { if (a < b && c >= d) g(a < b, c >= d); }",
        "void f() { if (a < b && c <= d) g(a < b, c <= d); }",
    );
}

#[test]
fn variables_open_no_template_arguments() {
    check(
        "void f(int const &a, T b) { return g(a < b, C<1>{}); }",
        "void f(int const &a, T b) { return g(a <= b, C<1>{}); }",
    );
    check(
        "void f() { C<3> c; const a::C<C<3>> d{}; auto *p = &c; g(c < d, d < c, p < p, b<c, C<1>>{}); }",
        "void f() { C<3> c; const a::C<typename C<3>> d{}; auto *p = &c; g(c <= d, d <= c, p <= p, b<c, typename C<1>>{}); }",
    );
    check(
        "auto l = [](auto... s, C<2> o) mutable { g(s < o, C<1>{}); }; struct S { void m(V<T> v) const { g(v < 3, C<1>{}); } };",
        "auto l = [](auto... s, C<2> o) mutable { g(s <= o, C<1>{}); }; struct S { void m(V<T> v) const { g(v <= 3, C<1>{}); } };",
    );
    // Where nothing closes behind it, the grammar makes no mistake.
    check(
        "void f(int n) { for (int i = 0; i < n; ++i) { } }",
        "void f(int n) { for (int i = 0; i < n; ++i) { } }",
    );
}

#[test]
fn names_that_may_be_templates_open_template_arguments() {
    for source in [
        // Out of the scope of the variables.
        "struct S { void m(int size) { } int n() { return size<0>(a); } int size2; };",
        "void f() { { int size = 1; } return g(size<0>(a), C<1>{}); }",
        "void f() { auto x = g(size<0>(a), C<1>{}); int size = 1; }",
        // Members of classes may be templates, and what is qualified is not the variable.
        "struct S { template <int N> static constexpr int fact = N * fact<N - 1>; };",
        "void f(int size) { g(n::size<0>(a), s.template size<0>(), C<1>{}); }",
        // Operands.
        "void f() { g(a & size); return size<C<1>>(a); }",
        "struct S { int size; }; auto n = g(size<0>(a), C<1>{});",
    ] {
        leaves(source, &source.replace("size<C<1>>", "size<typename C<1>>"));
    }
}

#[test]
fn unnamed_bit_fields() {
    check(
        "struct S { int a : 3, : 5; int : 1, b : 2; int : 0; };",
        "struct S { int a : 3, unnamed_: 5; int unnamed_: 1, b : 2; int unnamed_: 0; };",
    );
}

#[test]
fn macros_of_missing_headers() {
    check(
        "CUTE_HOST_DEVICE static constexpr int f() { UNROLL for (;;) { } }",
        "static constexpr int f() { for (;;) { } }",
    );
    check("CUTE_HOST_DEVICE Shape<A> const& f();", "Shape<A> const& f();");
    check("template <class T> HOST_DEVICE T f();", "template <class T> T f();");
    // A constructor has no result, which the macro would be taken for.
    check("HOST_DEVICE S::S(int n) : a(n) { }", "S::S(int n) : a(n) { }");
    check("template <class T> HOST_DEVICE V<T>::V(T t) { }", "template <class T> V<T> ::V(T t) { }");
    check(
        "struct S { HOST_DEVICE S(int n) noexcept(true) : a(n) { } };",
        "struct S { S(int n) noexcept(true) : a(n) { } };",
    );
    check("struct S { RESULT S(int n) { } };", "struct S { RESULT S(int n) { } };");
    check("struct S { RESULT f(int n) : 3; };", "struct S { RESULT f(int n) : 3; };");
    check("RESULT S::f(int n) { }", "RESULT S::f(int n) { }");
    check("HD S::~S() { }", "S:: ~S() { }");
    check("both S::S(int n) { }", "S::S(int n) { }");
    check(
        "struct S { HD operator T() const; HD T operator+(T t); };",
        "struct S { operator T() const; T operator+(T t); };",
    );
    check("FOO_BEGIN class S { };", "class S { };");
    check(
        "void f(int n) { EACH(int, i, n) { g(); } LOCKED { h(); } }",
        "void f(int n) { { g(); } { h(); } }",
    );
    leaves(
        "void f(int n) { EACH(int, i, g<A, B>(n), n) { h(); } }",
        "void f(int n) { { g<A, B>(n); h(); } }",
    );
    leaves(
        "void f() { FOR(int i = 0; i < 3; ++i) { h(); } }",
        "void f() { { int i = 0; i < 3; ++i; h(); } }",
    );
    leaves(
        "void f(int n) { if (n) EACH(int, i, g(n)) { h(); } else g(); do EACH(int, i, n) { h(); } while (n); }",
        "void f(int n) { if (n) { g(n); h(); } else g(); do { h(); } while (n); }",
    );
    leaves(
        "void f(int n) { SWITCH(n, T, SWITCH(n, U, k<T, U>(n); g();)) SWITCH(n, T, { SWITCH(n, U, g();) }) }",
        "void f(int n) { { { k<T, U>(n); g();;};} { { { g();;} };} }",
    );
    leaves(
        "void f(int n) { SWITCH(n, T, for (;;) { g<T>(); }) SWITCH(n, T, if (n) { g(); } else { h(); }); }",
        "void f(int n) { { for (;;) { g<T>(); };} { if (n) { g(); } else { h(); };} }",
    );
    leaves(
        "void f(int n) { SWITCH(n, T, k<A, T><<<1, 2>>>(n); return) if (n) IN(n, { g(); }, h<B>()); else g(); }",
        "void f(int n) { { k<A, T>(1, 2)(n); return;} if (n) { { g(); }; h<B>();} else g(); }",
    );
    check("void f() { CALL({ 1, 2 }, [] { g(); }); }", "void f() { CALL({ 1, 2 }, [] { g(); }); }");
    // The grammar makes a call of this one, and goes on behind it.
    let call = "void f(int n) { EACH(i, g<float>(n)) { } if (n) EACH(i, n) { } }";
    assert_eq!(parse(&tokens(call)).text, call);
    check("struct S { METHOD(int, a) { g(); } };", "struct S { METHOD(int, a) { g(); } };");
    check("struct S { both S(int n) : a(n) { } };", "struct S { S(int n) : a(n) { } };");
    check("template <class T> HD V<T>::~V() { }", "template <class T> V<T> :: ~V() { }");
    check(
        "struct S { HD ~S(); int f(int mask) { return MASK & ~mask; } };",
        "struct S { ~S(); int f(int mask) { return MASK & ~mask; } };",
    );
    check("class API S { int a; };", "class S { int a; };");
    check("struct ALIGNED(16) S : B { };", "struct S : B { };");
    check("struct TAG s;", "struct TAG s;");
    check("struct TAG s = { 1 };", "struct TAG s = { 1 };");
    check("struct TAG s { 1, { 2 }, T{3} };", "struct TAG s { 1, { 2 }, T{3} };");
    check("struct TAG s { };", "struct TAG s { };");
    check("struct API S { S() { } };", "struct S { S() { } };");
    check("class API S { };", "class S { };");
    check(
        "struct API F { template <class T> auto operator()(T *a) const -> int { return g(a); } };",
        "struct F { template <class T> auto operator()(T *a) const -> int { return g(a); } };",
    );
    check("struct API F { int f() & { } };", "struct F { int f() & { } };");
    check("struct API F { auto f() -> A<int> { } };", "struct F { auto f() -> A<int> { } };");
    assert_eq!(parse(&tokens("struct API F { MEMBERS(int, a) };")).text, "struct F { MEMBERS(int, a) };");
    check("struct TAG s { [](int a) { return a; }, 1 };", "struct TAG s { [](int a) { return a; }, 1 };");
    check("template <class T> struct API S { };", "template <class T> struct S { };");
    check("template class API S<int>;", "class S<int>;");
    check("template API __global__ void k<float>(float *);", "template void k<float>(float *);");
    check("REAL __device__ f(REAL a);", "REAL f(REAL a);");
    check("HD FORCE typename T::type f();", "typename T::type f();");
    check("HD __forceinline__ T f();", "T f();");
    check("template <class T> REQUIRES(sizeof(T) > 1) void f(T t);", "template <class T> void f(T t);");
    check("template <class T REQUIRES(sizeof(T) > 1)> void f();", "template <class T > void f();");
    check("void f() ATTRIBUTE(1) { }", "void f() { }");
    check(
        "void f(IN const T *a, OUT T &b, REAL const c, REAL d);",
        "void f( const T *a, T &b, REAL const c, REAL d);",
    );
    check("void f() {\n  CHECK(x)\n  return;\n}", "void f() {\nreturn;\n}");
}

#[test]
fn nodes_map_back_to_tokens() {
    let source = "__global__ void __launch_bounds__(256) k(__grid_constant__ const int x) { }";
    let parsed = parse(&tokens(source));
    let root = parsed.tree.root_node();
    assert_eq!(parsed.tokens_of(root), 0..parsed.tokens.len());
    let at = parsed.text.find("const int x").unwrap();
    let parameter = root.descendant_for_byte_range(at, at + "const int x".len()).unwrap();
    let text = |range: std::ops::Range<usize>| -> Vec<&str> {
        parsed.tokens[range].iter().map(|token| token.text.as_str()).collect()
    };
    assert_eq!(text(parsed.tokens_of(parameter)), ["__grid_constant__", "const", "int", "x"]);
    let span = parsed.span_of(parameter);
    assert_eq!(&source[span.start as usize..span.end as usize], "const int x");
    assert_eq!(parsed.tokens[parsed.token_at(parsed.text.find("k(").unwrap())].text.as_str(), "k");
}

#[test]
fn broken_code_gives_a_tree_and_a_count() {
    assert!(parse(&tokens("void f( { ] <<< >>> [[ x")).error_bytes > 0);
    assert_eq!(parse(&[]).text, "");
}

/// A function with unfinished statements in its body is parsed as `expected`, without errors.
fn left(source: &str, expected: &str) {
    let tokens = tokens(source);
    let body = tokens.iter().position(|token| token.text.as_str() == "{").expect("a body");
    let left = mended(&tokens, body).unwrap_or(tokens);
    let parsed = parse(&left);
    assert_eq!(parsed.text.replace('\n', " "), expected, "of {source}");
    assert_eq!(parsed.error_bytes, 0, "{}\n{}", parsed.text, parsed.tree.root_node().to_sexp());
}

#[test]
fn what_is_not_finished_is_left_out() {
    for unfinished in [
        "i",
        "if (va",
        "if (value > ",
        "float added = 2.0f",
        "float added = 2.0f * value +",
        "printf(\"%d r",
        "for (int step = 0; ste",
        "for (int step = 0; step < 4; ++",
        "value = sqrtf(value) + fmaxf(value, 0.",
        "__syncthreads(",
        "value.",
        "auto made = [&](int x",
    ] {
        left(
            &format!(
                "void f(int n) {{ a(1); {unfinished}\n if (n) {{ k<<<1, 2>>>(n); }} else {{ b(); }} c();\n}}"
            ),
            "void f(int n) { a(1); if (n) { k(1, 2)(n); } else { b(); } c(); }",
        );
        left(
            &format!("void f(int n) {{ while (n) {{ a(1); {unfinished}\n }} do {{ b();\n }} while (n); }}"),
            "void f(int n) { while (n) { a(1); } do { b(); } while (n); }",
        );
        left(
            &format!(
                "void f() {{ {unfinished}\n return call([&](auto x) {{ b(x);\n {unfinished}\n }}, 2); }}"
            ),
            "void f() { return call([&](auto x) { b(x); }, 2); }",
        );
    }
    left("void f() { int n =\n return (1) / 2;\n}", "void f() { return (1) / 2; }");
    left(
        "void f() { if (n) { a\n break; } MACRO\n for (;;) { } }",
        "void f() { if (n) { break; } for (;;) { } }",
    );
}

#[test]
fn braces_that_are_not_closed_are() {
    left(
        "void f(int n) { a(1); if (n > 1) {\n b();\n if (n) { c(); va\n }\n}",
        "void f(int n) { a(1); if (n > 1) { b(); if (n) { c(); } } }",
    );
    left("void f(int n) { for (;;) { if (n) {\n b();\n", "void f(int n) { for (;;) { if (n) { b();}}}");
}

#[test]
fn what_is_finished_is_left() {
    for source in [
        "void f() { switch (n) { case 1: a(); break; default: { b(); } } }",
        "void f() { try { a(); } catch (int e) { b(); } struct S { int x; void g() { } } s; again: goto again; }",
        "void f() { int x[] = {1, 2}; S s{1, {2}}; auto l = [](int n) { return n; }; if constexpr (n) { a(); } }",
        "void f() { else_(); do a(); while (n); if (n) a(); else if (m) { b(); } else c(); for (;;) { } }",
        "void f() { case_of(1 ? 2 : 3); using T = int; template_<int>(); for (auto x : list) { a(x); } }",
    ] {
        left(source, source);
        // And beside what is not.
        left(&source.replacen("{ ", "{ if (va\n", 1), source);
    }
}

#[test]
fn what_the_grammar_has_no_word_for_stays() {
    let kept = |source: &str| {
        let tokens = tokens(source);
        let body = tokens.iter().position(|token| token.text.as_str() == "{").expect("a body");
        assert!(mended(&tokens, body).is_none(), "{source}");
    };
    kept("void f() { int int k<<<1, 2>>>(3) 4; }");
    kept("void f() { UNKNOWN(int i, n) { int int k<<<1, 2>>>(3) 4; }\n b(); }");
}

#[test]
fn names_are_called_in_the_place_of_what_can_not_be_read() {
    let called = |source: &str, expected: &str, all: &str| {
        let tokens = tokens(source);
        let body = tokens.iter().position(|token| token.text.as_str() == "{").expect("a body");
        let text = |tokens: &[PpToken]| {
            let parsed = parse(tokens);
            assert!(parsed.is_one_declaration() && parsed.error_bytes == 0, "{}", parsed.text);
            parsed.text.replace(' ', "")
        };
        let [expected, all] = [expected, all].map(|text| text.replace(' ', ""));
        let one = with_names_called(&tokens, body).map(|left| text(&left));
        assert_eq!(one.as_deref().unwrap_or_default(), expected);
        assert_eq!(text(&all_names_called(&tokens, body)), all);
    };
    called(
        "void f() { a(); int int n::k<x.y> 4; if (int int z) { b(); } }",
        "void f() { a(); n::k(n...); x.y(x...); z(z...); { b(); } }",
        "void f() { a(a...); n::k(n...); x.y(x...); z(z...); b(b...); }",
    );
    called("void f() { a(1); }", "", "void f() { a(a...); }");
}

#[test]
fn a_body_is_read_a_bounded_number_of_times() {
    let source = |lines: usize| format!("void f() {{ {}k(1); }}", "int int x\n".repeat(lines));
    left(&source(40), "void f() { k(1); }");
    // Each line might begin the statement that stood there before.
    let tokens = tokens(&source(2000));
    let body = tokens.iter().position(|token| token.text.as_str() == "{").expect("a body");
    assert!(mended(&tokens, body).is_none());
}

#[test]
fn pointers_to_member_functions_are_pointers_to_functions() {
    check(
        "template <class C, class R, class... A> struct S<R (C::*)(A...) const noexcept> { };",
        "template <class C, class R, class... A> struct S<R (*)(pointer_to_const_member_of_<C>,A...) > { };",
    );
    check("using F = int (n::X<T>::*)();", "using F = int (*)(pointer_to_member_of_<n::X<T> >);");
    check("void f() { g(x::y)(z); }", "void f() { g(x::y)(z); }");
}

/// Without the mark the grammar's parser reads `C < 4` here, and the last `>` is an error.
#[test]
fn nested_template_ids_are_marked() {
    check(
        "void f() { k<W<el_t<0, tup<C<3>, C<4>>>>>(); }",
        "void f() { k<typename W<typename el_t<0, typename tup<typename C<3>, typename C<4>> >> >(); }",
    );
    check(
        "void f() { k<const W<C<1>> &, n::C<2>::type *, D<3>...><<<1, 1>>>(); }",
        "void f() { k<const typename W<typename C<1>> &, typename n::C<2> ::type *, typename D<3> ... >(1, 1)(); }",
    );
    // An operand of an operator is a value, and so is a call.
    check("using T = A<B<1> ::value + 2, f<3>(), (x)>;", "using T = A<B<1> ::value + 2, f<3>(), (x)>;");
    check("bool f() { return a < b && c<1>() > d; }", "bool f() { return a < b && c<1>() > d; }");
}
