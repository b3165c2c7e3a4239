//! Which declarations and names vary, and with which others.

use super::check;

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
            S &operator=(int x) { return h(*this); }
            constexpr ~S() { h(*this); }
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
fn what_constants_call_spreads() {
    check(
        "#ifdef __CUDA_ARCH__
         constexpr int limit = 2;
         #else
         constexpr int limit = 1;
         #endif
         struct Made { int n; constexpr Made() : n(1) { n += limit; } };
         constexpr void raise(int &n) { n += limit; }
         constexpr int &next(int *n) { return n[limit]; }
         void ordinary(int &n) { n += limit; }
         constexpr Made made; constexpr int raised(int n) { raise(n); return n; } int unrelated(int &n) { ordinary(n); return n; }",
        "80",
        "Variable limit @sm_80 presence
         Variable limit @host presence
         Class Made names
         Function raise names
         Function next names
         Function ordinary names
         Variable made names
         Function raised names
         Function unrelated
         varying: Made limit made next raise raised",
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
