//! The variance stage on small sources: how they are cut, and what varies.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use crate::preprocess::preprocess;
use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::{Passes, parse_arch_list};

use super::*;

/// Cuts `source` for the host and `archs` and renders a line for each declaration: kind, names,
/// the passes that have it if not all do, what varies; then the varying names.
fn check(source: &str, archs: &str, expected: &str) {
    let passes = Passes::new(&parse_arch_list(archs).unwrap()).unwrap();
    let sources = Sources::new();
    sources.add(Path::new("a.cu"), source.to_string());
    sources.add(Path::new("once.h"), "#pragma once\nstruct Once { };\n".to_string());
    let unit =
        preprocess(&TranslationUnit::new(Path::new("a.cu"), passes.clone()), &sources, &Arc::default());
    let result = variance(&unit, passes.all().minus(unit.stopped));
    let mut text = String::new();
    for declaration in &result.declarations {
        let names: Vec<&str> = declaration.names.iter().map(|name| name.as_str()).collect();
        let scope = path(&result, declaration.scope);
        write!(text, "{:?} {scope}{}", declaration.kind, names.join(" ")).unwrap();
        if declaration.passes != passes.all() {
            write!(text, " @{}", passes.names(declaration.passes).join(",")).unwrap();
        }
        let Varies { presence, tokens, names, sizes } = declaration.varies;
        for (set, word) in
            [(presence, " presence"), (tokens, " tokens"), (names, " names"), (sizes, " sizes")]
        {
            text.push_str(if set { word } else { "" });
        }
        text.push('\n');
    }
    let mut varying: Vec<&str> = result.varying.names().map(|name| name.as_str()).collect();
    varying.sort_unstable();
    if !varying.is_empty() {
        writeln!(text, "varying: {}", varying.join(" ")).unwrap();
    }
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let found: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(found, expected, "\nfound:\n{text}\nin:\n{source}");
}

fn path(result: &Variance, scope: ScopeId) -> String {
    let scope = &result.scopes[scope.0 as usize];
    let Some(parent) = scope.parent else { return String::new() };
    let name = match scope.name {
        Some(name) => name.as_str(),
        None if scope.unnamed => "{}",
        None if scope.extern_c => "C",
        None => "C++",
    };
    format!("{}{name}::", path(result, parent))
}

#[test]
fn functions_with_and_without_a_body() {
    check(
        "int f(int x) { return x; } int f(double); __global__ void __launch_bounds__(256, 2) k(float *x) {}
         template <class T, int N = (3 > 2)> __device__ auto g(T t) -> decltype(t + 1) { return t; }
         extern \"C\" void h(); static inline const char *name() noexcept(true) { return \"\"; }
         __attribute__((noinline)) std::vector<int, A<B<int>>> v(int a, int b = f({1, 2})) { if (a) { b; } }",
        "80",
        "Function f
         Prototype f
         Function k
         Function g
         Prototype h
         Function name
         Function v",
    );
}

#[test]
fn members_defined_outside_their_class() {
    check(
        "S::S() : a{1}, b(2), c<int>{3} { g(); } S::~S() {} template <class T> void A<T>::B::f(int) const & {}
         S::S(int x) try : a(x) { } catch (...) { } catch (int) { } int x;
         bool operator<(const A &a, const A &b) { return a.x < b.x; } A &A::operator=(const A &) = default;
         void A::operator()(int x) const { } A::operator bool() const { return true; } int A::count = 3;
         template <> int A<int>::value = 4;",
        "80",
        "Function S S
         Function S S
         Function f B A
         Function S S
         Variable x
         Function operator<
         Prototype operator= A
         Function operator() A
         Function operatorbool A
         Variable count A
         Variable value A",
    );
}

#[test]
fn classes_and_what_follows_them() {
    check(
        "struct S { int a; void f() { g(); } int b{3}; }; class alignas(16) T final : public B<(3>2)> { };
         template <class T> struct A<T *> : B<T> { }; typedef struct { int x; } P, *Q; struct S f() { return {}; }
         struct { int a; } v = {1}, w{2}; union U; enum class E : int; enum F : char { A, B = 2, C = f(1, 2) } e;
         struct __align__(8) X { float x; }; struct A::Inner { }; template <> class Z<3, X{}> { };
         struct S *p; struct [[deprecated]] D : X<A{}> { };",
        "80",
        "Class S
         Class T
         Class A
         Class P Q
         Function f
         Class v w
         Forward U
         Forward E
         Enum F A B C e
         Class X
         Class Inner A
         Class Z
         Variable p
         Class D",
    );
}

#[test]
fn variables() {
    check(
        "int x{3}; const int a = 3, b[4] = {1, 2}, *c; std::map<int, A<B>> m; auto l = [](int x) { return x; };
         int (*fp)(int) = nullptr; __constant__ float table[3]; extern int y; template <class T> constexpr T pi = T(3);
         dim3 grid(1, 2); __device__ int array[2]{1, 2}; alignas(16) static int z; auto d{[] { return 1; }};
         decltype(x) n; void (*handlers[3])(int);",
        "80",
        "Variable x
         Variable a b c
         Variable m
         Variable l
         Variable fp
         Variable table
         Variable y
         Variable pi
         Variable grid
         Variable array
         Variable z
         Variable d
         Variable n
         Variable handlers",
    );
}

#[test]
fn aliases_and_using() {
    check(
        "using X = int; template <class T> using V = A<T, 3>; typedef int I, *PI; typedef void (*fn)(int); typedef void ft(int);
         namespace a = b::c; using std::vector; using a::b, c::d; using namespace std; using Y [[maybe_unused]] = struct { int x; };
         typedef float4 (X::*member)(int);",
        "80",
        "Alias X
         Alias V
         Alias I PI
         Alias fn
         Alias ft
         Alias a
         Using vector
         Using b d
         Using
         Alias Y
         Alias member",
    );
}

#[test]
fn templates_are_instantiated() {
    check(
        "template void f<int>(int *); extern template class N::X<float>; template __global__ void k<A<int>>(A<int>);
         template int v<3>; template void g(float); template struct Y<1, (2 > 1)>;",
        "80",
        "Instantiation f
         Instantiation X N
         Instantiation k
         Instantiation v
         Instantiation g
         Instantiation Y",
    );
}

#[test]
fn scopes() {
    check(
        "namespace a::b { int x; inline namespace v1 { int y; } } namespace { int z; } extern \"C\" { void f(); }
         extern \"C\" void g() {} namespace [[deprecated]] c { extern \"C++\" { int w; } } int last;",
        "80",
        "Variable a::b::x
         Variable a::b::v1::y
         Variable {}::z
         Prototype C::f
         Function g
         Variable c::C++::w
         Variable last",
    );
}

#[test]
fn concepts_guides_and_the_rest() {
    check(
        "template <class T> concept C = requires(T t) { t.x; } && true; template <class T> requires C<T> void f(T) {}
         template <class T> requires requires(T t) { t.x; } void g(T) {} void h() requires (sizeof(int) > 2) {}
         X(int) -> X<int>; static_assert(sizeof(int) == 4, \"x\"); asm(\"nop\"); ; [[nodiscard]] int n();",
        "80",
        "Variable C
         Function f
         Function g
         Function h
         Other X
         Other
         Other
         Prototype n",
    );
}

#[test]
fn macros_of_missing_headers_end_where_they_must() {
    check(
        "DECLARE_KERNEL(f, 3)\nint x;\nTEST(Suite, Name) { int y; }\nREGISTER(a);\nHOST_DEVICE int f() { return 1; }
         BEGIN_NAMESPACE(x)\nnamespace y { int z; }\nMY_ATTRIBUTE(3) static int g() { return 1; }\nEND(x)",
        "80",
        "Other
         Variable x
         Function TEST
         Other
         Function f
         Other
         Variable y::z
         Other
         Function g
         Other",
    );
}

#[test]
fn unbalanced_text_recovers() {
    check(
        "int f( ; int x; namespace a { int y } int z; ) ] } int w; void g() { (",
        "80",
        "Prototype f
         Variable x
         Variable a::y
         Variable z
         Variable w
         Function g",
    );
}

#[test]
fn a_guarded_declaration_has_its_passes_only() {
    check(
        "#ifdef __CUDA_ARCH__
         __global__ void k(int x) { }
         #endif
         int after;",
        "80,90",
        "Function k @sm_80,sm_90 presence
         Variable after
         varying: k",
    );
}

#[test]
fn a_body_that_varies_keeps_the_name() {
    check(
        "__global__ void k(int x) {
         #if __CUDA_ARCH__ >= 800
             a(x);
         #endif
         }
         void host() { k<<<1, 1>>>(3); }
         constexpr int c() {
         #if __CUDA_ARCH__ >= 800
             return 1;
         #endif
             return 0;
         }
         struct S { int x[c()]; };
         void f(S s);
         void g() { f(S{}); }
         int h() { return sizeof(S); }",
        "75,80",
        "Function k tokens
         Function host
         Function c tokens
         Class S names
         Prototype f names
         Function g names
         Function h names
         varying: S c f",
    );
}

#[test]
fn alternative_heads_share_a_body() {
    check(
        "#if __CUDA_ARCH__ >= 800
         void f(int x)
         #else
         void f(float x)
         #endif
         { g(x); }
         template <class T> void k(T,
         #if __CUDA_ARCH__ >= 800
           int x
         #else
           float x) ; template <class T> void l(T
         #endif
         ) { }",
        "75,80",
        "Function f @sm_80 presence
         Function f @host,sm_75 presence
         Prototype k @host,sm_75 presence
         Function k @sm_80 presence
         Function l @host,sm_75 presence
         varying: f k l",
    );
}

#[test]
fn a_parameter_that_varies_makes_one_declaration() {
    check(
        "__global__ void k(
         #if __CUDA_ARCH__ >= 800
           int x
         #else
           float x
         #endif
         ) { g(x); }
         #if __CUDA_ARCH__ >= 800
         namespace a {
         #else
         namespace b {
         #endif
         int z; }
         int y;",
        "75,80",
        "Function k tokens
         Variable b::z @host,sm_75 presence
         Variable a::z @sm_80 presence
         Variable y
         varying: k z",
    );
}

#[test]
fn names_spread_through_aliases_and_constants() {
    check(
        "#ifdef __CUDA_ARCH__
         typedef double real;
         #else
         typedef float real;
         #endif
         template <class T> struct Traits { using type = real; };
         template <class T> using E = typename Traits<T>::type;
         __global__ void k(E<int> *x);
         enum { N = sizeof(real), M };
         int unrelated;
         int array[M];",
        "80",
        "Alias real @sm_80 presence
         Alias real @host presence
         Class Traits names
         Alias E names
         Prototype k names
         Enum N M names
         Variable unrelated
         Variable array names
         varying: E M N Traits array k real",
    );
}

#[test]
fn what_users_do_not_see_does_not_spread() {
    check(
        "struct S {
            S(int x) : a(x) {
         #ifdef __CUDA_ARCH__
                g();
         #endif
            }
            constexpr S &operator=(int x) { return h(*this); }
            int a;
            void f() { real x; }
            int size() { return 1; }
         };
         #ifdef __CUDA_ARCH__
         typedef double real;
         __device__ S &h(S &s);
         static
         #endif
         int total;
         S s; int use(S real) { return real.total + T<int>::h; }
         int uses(S s) { return total + h(s).a + N::total; }
         namespace N { }
         struct Scalar { static constexpr int size() { return sizeof(real); } };
         int Scalars[Scalar::size()];",
        "80",
        "Class S tokens names
         Alias real @sm_80 presence
         Prototype h @sm_80 presence
         Variable total tokens
         Variable s
         Function use
         Function uses names
         Class Scalar names
         Variable Scalars names
         varying: Scalar Scalars h real",
    );
}

#[test]
fn a_member_outside_its_class_makes_the_class_vary() {
    check(
        "namespace n { template <class T> struct A { static int value; void f(); }; void g(); }
         #ifdef __CUDA_ARCH__
         template <> int n::A<int>::value = 1;
         void n::g() { }
         #else
         template <> int n::A<int>::value = 2;
         #endif
         int f() { return n::A<int>::value; }
         int value() { n::g(); return 1; }",
        "80",
        "Class n::A names
         Prototype n::g names
         Variable value A n @sm_80 presence names
         Function g n @sm_80 presence
         Variable value A n @host presence names
         Function f names
         Function value names
         varying: A g",
    );
}

#[test]
fn a_header_included_at_two_places_is_declared_once() {
    check(
        "#ifdef __CUDA_ARCH__
         #include \"once.h\"
         #endif
         int between;
         #include \"once.h\"
         Once once;",
        "80",
        "Class Once @sm_80
         Variable between
         Class Once @host
         Variable once",
    );
}

#[test]
fn a_name_varies_where_it_is_looked_for() {
    check(
        "namespace lib {
         #ifdef __CUDA_ARCH__
           typedef int Shape; int count(); int size(); inline namespace v1 { typedef int Deep; }
         #endif
           void inside(Shape s); namespace inner { void deep(Shape s, Deep d); }
         }
         namespace lib::inner { int x = sizeof(Shape); }
         struct Shape { int rows; };
         void plain(Shape s);
         void qualified(lib::Shape s, int);
         void called() { count(1); }
         int number = size;
         void deeper(lib::v1::Deep d);
         void global(::Shape s);
         void nominates() { using namespace lib; Shape s; }
         namespace user { using namespace lib; Shape s; namespace more { Shape t; } }
         namespace l = lib; l::Shape aliased; namespace other { using lib::Shape; Shape u; }
         struct S { void f(); }; void S::f() { Shape s; }",
        "80",
        "Alias lib::Shape @sm_80 presence
         Prototype lib::count @sm_80 presence
         Prototype lib::size @sm_80 presence
         Alias lib::v1::Deep @sm_80 presence
         Prototype lib::inside names
         Prototype lib::inner::deep names
         Variable lib::inner::x names
         Class Shape
         Prototype plain
         Prototype qualified names
         Function called names
         Variable number
         Prototype deeper names
         Prototype global
         Function nominates names
         Using user::
         Variable user::s names
         Variable user::more::t names
         Alias l
         Variable aliased names
         Using other::Shape names
         Variable other::u names
         Class S
         Function f S names
         varying: Deep Shape aliased count deep deeper inside qualified s size t u x",
    );
}

#[test]
fn a_local_variable_hides_a_name() {
    check(
        "#ifdef __CUDA_ARCH__
         typedef int count; typedef int Type;
         #endif
         int parameter(float const *a, int *count, std::array<int, 3> const &b) { return count + 1; }
         int unnamed(const count) { return sizeof(count); }
         int local(int x) { if (x) { int count = 3; x += count; } return x; }
         int behind(int x) { { int count = 3; } return sizeof(count); }
         int before() { int x = sizeof(count); int count = 3; return x; }
         int same() { extern int count; return count; }
         int argument() { auto f = [](int count) { return count; }; return f(sizeof(count)); }
         int given(int x = sizeof(count), int count = 3) { return count; }
         template <class T> int of_template(T const *__restrict__ count) { return *count; }",
        "80",
        "Alias count @sm_80 presence
         Alias Type @sm_80 presence
         Function parameter
         Function unnamed names
         Function local
         Function behind names
         Function before names
         Function same names
         Function argument names
         Function given names
         Function of_template
         varying: Type count given unnamed",
    );
}

#[test]
fn braces_that_are_not_closed_end_with_their_function() {
    // The last one in the first column is the function's.
    check(
        "namespace n {
int a() {
  if (1) {
  b();
}
__global__ void k() { }
int c() {
  {
  struct D { int x; };
  return 1; }
}
} // namespace
int d;",
        "80",
        "Function n::a
         Function n::k
         Function n::c
         Variable d",
    );
    // Words that stand in no function, and what begins in the first column.
    check(
        "  int a() { if (1) {
  __global__ void k();
  int b() { {
  template <class T> void c();
  int d() {
  namespace n { int e; }
struct F {
  int x;
int g() {
  x: if (1) { }
struct H { int y; };",
        "80",
        "Function a
         Prototype k
         Function b
         Prototype c
         Function d
         Variable n::e
         Class F
         Function g
         Class H",
    );
}

#[test]
fn braces_that_are_closed_are_read_as_they_are() {
    check(
        "void a() {
if (1) {
int b;
}
}
struct C {
struct D {
};
template <class T>
void d();
};
}
UNKNOWN(x) { template <class T> void e(); }",
        "80",
        "Function a
         Class C
         Function UNKNOWN",
    );
}

#[test]
fn a_head_that_is_not_finished_ends_before_a_kernel() {
    check(
        "int a(float x
         __global__ void k(int y) { }
         int b(int x = (3
         template <class T> void c() { }
         int d(
         namespace n { int e; }
         MACRO(
         __global__ void l(int y) { })
         MACRO(
         template <class T> struct S)
         int f;",
        "80",
        "Prototype a
         Function k
         Prototype b
         Function c
         Prototype d
         Variable n::e
         Other
         Other
         Variable f",
    );
}
