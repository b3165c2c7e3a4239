//! Sources cut into declarations: kinds, names and scopes.

use super::*;

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
         Function operator bool A
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
fn what_stands_before_a_namespace_is_no_part_of_a_member_s_head() {
    let sources = Sources::new();
    // As where a class is not closed in front of headers.
    let text = "struct A { int a; namespace b { int c; } extern \"C\" { int d; } void f() { } int e; void g() { } };";
    sources.add(Path::new("a.cu"), text.to_string());
    let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
    let unit =
        preprocess(&TranslationUnit::new(Path::new("a.cu"), passes.clone()), &sources, &Arc::default());
    let result = variance(&unit, passes.all());
    let class = result.declarations.iter().find(|one| one.names.iter().any(|name| name.as_str() == "A"));
    let members = member_functions(unit.tokens(), class.expect("a class"), 0);
    let head = |member: MemberFunction| {
        let words = unit.tokens()[member.head].iter().map(|token| token.text.as_str());
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(members.into_iter().map(head).collect::<Vec<_>>(), ["void f ( )", "void g ( )"]);
}
