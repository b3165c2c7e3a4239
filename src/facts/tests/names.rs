//! Name look-up and types, by pass.

use super::{Env, Fixture, IndexedUnit, LookupResult, PassSet, Path, ScopeId, Symbol, View, check, types};

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
fn a_pass_shares_only_the_answers_that_nothing_varies_in() {
    types(
        "
         struct Own {
#ifdef __CUDA_ARCH__
           using inner = float;
#else
           using inner = double;
#endif
         };
         template <class T> struct Box { using type = T; using inner = typename T::inner; };
         template <class T> struct Pick { using type = int; };
#ifndef __CUDA_ARCH__
         template <> struct Pick<Own> { using type = char; };
#endif
         template <class T> using Inner = typename Box<T>::inner; template <class T> typename T::inner make(T);
         namespace n { using size = long; } namespace m { using size = short; }
#ifdef __CUDA_ARCH__
         using namespace n;
#else
         using namespace m;
#endif
         struct Same { using inner = int; };
         using a = Inner<Own>; using b = Box<Box<Own>::type>::inner; using c = decltype(make(Own()));
         using d = Pick<Own>::type; using e = size; using f = Inner<Same>; using g = Box<Pick<Own>::type> *;",
        "a = double [host]; float [sm_80]
         b = double [host]; float [sm_80]
         c = double [host]; float [sm_80]
         d = char [host]; int [sm_80]
         e = short [host]; long [sm_80]
         f = int
         g = Box<char> * [host]; Box<int> * [sm_80]",
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
fn circular_definitions_end() {
    // As deep as queries go, in a stack like that of an analysis.
    let deep = std::thread::Builder::new().stack_size(1 << 28).spawn(|| {
    types(
        "using A = B; using B = A; template <class T> struct X : X<T *> { using t = typename X<T **>::t; }; using a = A; constexpr int n = m; constexpr int m = n; using b = int[n];
         namespace q { using namespace q; using q::z; } using c = q::z; struct S : S { }; using d = S::none;",
        "d = S::none ?",
    );
    });
    deep.expect("the system has a thread more").join().expect("the definitions end");
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

/// A pass that was spared look-ups by another's answers would get further than that one did.
#[test]
fn after_a_limit_passes_share_no_answers() {
    let fixture = Fixture::new("using A = B; using B = A; using C = A;", "80");
    let unit =
        IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
    let caches = std::rc::Rc::default();
    let (host, device) = (View::new(&unit, 0, &caches), View::new(&unit, 1, &caches));
    assert!(device.may_share(PassSet::EVERY) && !device.may_share(PassSet::HOST));
    host.reach_limit();
    assert!(!device.may_share(PassSet::EVERY));
}

/// The headers of the C library and those of the C++ library import each other's functions like this.
#[test]
fn circular_using_declarations_name_each_function_once() {
    let mut source = String::from("int f(int); long f(long);\nnamespace std {}\n");
    for _ in 0..8 {
        source += "namespace std { using ::f; int f(char); }\nusing std::f;\n";
    }
    let fixture = Fixture::new(&source, "80");
    let unit =
        IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
    let view = View::new(&unit, 0, &std::rc::Rc::default());
    let hit = view.lookup_unqualified(Symbol::intern("f"), &Env::namespace(ScopeId::GLOBAL));
    let LookupResult::Entities(entities) = hit else { panic!("{hit:?}") };
    assert_eq!(entities.len(), 2 + 8);
    assert!(!view.is_left_open());
}

#[test]
fn a_template_derived_from_itself_with_an_unknown_number_is_left_at_once() {
    let source = "template <long M, long N> struct gcd : gcd<N, M % N> {};
                  template <long M> struct gcd<M, 0> { static constexpr long value = M; };
                  constexpr long known = gcd<12, 18>::value;
                  constexpr long open = gcd<unknown, 18>::value;";
    let fixture = Fixture::new(source, "80");
    let unit =
        IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
    let view = View::new(&unit, 0, &std::rc::Rc::default());
    let value =
        |name| view.name_value(&Path::plain(Symbol::intern(name)), &Env::namespace(ScopeId::GLOBAL)).int();
    assert_eq!(value("known"), Some(6));
    assert_eq!(value("open"), None);
    assert!(!view.is_left_open());
}

/// Each `open` depends on something that nothing declares, and asks for itself on the way.
#[test]
fn a_question_that_leads_back_to_itself_is_left_at_once() {
    let alternatives = "
        template <bool, class T, class> struct either { using type = T; };
        template <class T, class F> struct either<false, T, F> { using type = F; };
        template <class...> struct all { static constexpr bool value = true; };
        template <class A> struct all<A> : A {};
        template <class A, class... B> struct all<A, B...> : either<bool(A::value), all<B...>, A>::type {};
        template <class, class> struct pair {};
        template <class T> struct good { static constexpr bool value = sizeof(T) > 1; };
        template <class A, class B> struct good<pair<A, B>> : all<good<A>, good<B>> {};
        template <class A, class B> struct good<const pair<A, B>> : all<good<A>, good<B>> {};
        constexpr bool known = good<pair<short, int>>::value;
        constexpr bool open = good<unknown>::value;";
    let result = "
        struct left {};
        template <class S, class D> auto make(S, D) { return 'a'; }
        template <class S> auto make(S s, left) { return make(s, unknown(s)); }
        constexpr int known = sizeof(make(1, 2));
        constexpr int open = sizeof(make(1, left()));";
    let parameter = "
        template <class T> T &&value_of();
        template <class...> using nothing = void;
        template <bool, class> struct where {};
        template <class T> struct where<true, T> { using type = T; };
        template <class T> struct policy {};
        struct own : policy<own> {};
        namespace generic {
        void pick();
        template <class, class... T> constexpr bool exists_for = false;
        template <class... T> constexpr bool exists_for<nothing<decltype(pick(value_of<T &>()...))>, T...> = true;
        template <class... T> constexpr bool exists = exists_for<void, T...>;
        template <class A, class B, typename where<!exists<A, B>, int>::type = 0>
        char pick(policy<A> &, policy<B> &);
        template <class A, class B, typename where<!exists<B, A>, int>::type = 0>
        char pick(policy<A> &, B &);
        }
        own one;
        constexpr int known = sizeof(generic::pick(one, one));
        template <class T> constexpr int of(T &other) { return sizeof(generic::pick(one, other)); }
        constexpr int open = of(unknown(one));";
    let selection = "
        template <class T, unsigned long> using complete = T;
        template <class T> struct length;
        template <> struct length<int> { static constexpr int value = 1; };
        template <class T> struct length<complete<const T, sizeof(length<T>)>> : length<T> {};
        template <class T> struct length<complete<volatile T, sizeof(length<T>)>> : length<T> {};
        constexpr int known = length<volatile int>::value;
        template <class T> constexpr int of(T) { return length<T>::value; }
        constexpr int open = of(unknown(1));";
    let constraint = "
        template <class A, class B> constexpr bool disabled = false;
        template <class A, class B> concept sized = !disabled<A, B> && requires(A a, B b) { a - b; };
        template <class T> struct reverse { T at; };
        template <class A, class B> requires (!sized<A, B> && !sized<B, A>)
        constexpr bool disabled<reverse<A>, reverse<B>> = true;
        constexpr int known = sized<int, int> && !sized<reverse<int>, reverse<int *>>;
        template <class T> constexpr int of(T) { return sized<T, T>; }
        constexpr int open = of(unknown(1));";
    let call = "
        template <class, class> constexpr bool same = false;
        template <class T> constexpr bool same<T, T> = true;
        struct swap;
        template <class A, class B, unsigned long N> concept arrays =
            same<A, B> && requires(A (&a)[N], B (&b)[N], const swap &swap) { swap(a[0], b[0]); swap(b[0], a[0]); };
        struct swap {
            template <class A, class B, unsigned long N> requires arrays<A, B, N>
            constexpr char operator()(A (&)[N], B (&)[N]) const;
            template <class T> constexpr int operator()(T &, T &) const;
        };
        int x[2];
        constexpr int known = sizeof(swap()(x, x)) == 1;
        template <class T> constexpr int of(T t) { return sizeof(swap()(t, t)); }
        constexpr int open = of(unknown(1));";
    let part = "
        template <class T> struct holds_twice { holds_twice<decltype(T::part)> one; holds_twice<decltype(T::part)> other; };
        struct plain { int value; };
        constexpr int known = __is_trivially_copyable(plain);
        constexpr int open = __is_trivially_copyable(holds_twice<unknown>);";
    for source in [alternatives, result, parameter, selection, constraint, call, part] {
        let fixture = Fixture::new(source, "80");
        let unit =
            IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
        let view = View::new(&unit, 0, &std::rc::Rc::default());
        let global = Env::namespace(ScopeId::GLOBAL);
        let value = |name| view.name_value(&Path::plain(Symbol::intern(name)), &global).int();
        assert_eq!(value("known"), Some(1), "{source}");
        value("open");
        assert!(!view.is_left_open(), "{source}");
    }
}

/// Each level asks twice for the one below it: without what is kept of them, that is a million questions.
#[test]
fn constants_and_concepts_of_templates_are_worked_out_once() {
    let constants = "
        template <int N> constexpr int twice = twice<N - 1> / 2 + twice<N - 1> / 2;
        template <> constexpr int twice<0> = 2;
        constexpr int known = twice<24> - 1;";
    let mut concepts = "template <class T> concept c0 = sizeof(T) == 4;\n".to_string();
    for level in 1..=24 {
        let before = level - 1;
        concepts += &format!("template <class T> concept c{level} = c{before}<T> && c{before}<T>;\n");
    }
    concepts += "constexpr int known = c24<int>;";
    let members = "
        template <int N> struct pair { pair<N - 1> one; pair<N - 1> other; ~pair() = default; };
        template <> struct pair<0> { int value; };
        constexpr int known = __is_trivially_copyable(pair<24>);";
    for source in [constants, &concepts, members] {
        let fixture = Fixture::new(source, "80");
        let unit =
            IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
        let view = View::new(&unit, 0, &std::rc::Rc::default());
        let known = view.name_value(&Path::plain(Symbol::intern("known")), &Env::namespace(ScopeId::GLOBAL));
        assert_eq!(known.int(), Some(1), "{source}");
        assert!(!view.is_left_open(), "{source}");
    }
}

#[test]
fn a_missing_header_leaves_open_what_its_library_may_specialize() {
    let sizes = "
         namespace testing { struct Test { }; }
         template <class T> struct size; template <> struct size<int> { static const int value = 1; };
         template <class...> using always = void; template <int N> struct R { };
         template <class T, class = void> struct Has { static const int value = 0; };
         template <class T> struct Has<T, always<decltype(size<T>::value)>> { static const int value = 1; };
         using a = R<Has<int>::value>; using b = R<Has<float>::value>; using c = R<Has<testing::Test>::value>;";
    let with = |header: &str, expected: &str| types(&format!("#include {header}\n{sizes}"), expected);
    with("<gtest/gtest.h>", "a = R<1>\nb = R<0>\nc = R<Has<testing::Test, void>::value> ?");
    with("\"nccl.h\"", "a = R<1>\nb = R<0>\nc = R<0>");
    with(
        "\"sizes.h\"",
        "a = R<1>\nb = R<Has<float, void>::value> ?\nc = R<Has<testing::Test, void>::value> ?",
    );
}

/// Each of two classes that may be meant is looked into once, however many classes are derived from them.
#[test]
fn names_are_looked_up_once_in_classes_whose_specialization_is_not_settled() {
    let mut source =
        String::from("using real = float; template <class T, bool = unknown<T>::value> struct A0 { };\n");
    for level in 1..40 {
        let base = level - 1;
        source += &format!(
            "template <class T, bool = unknown<T>::value> struct A{level} : A{base}<T> {{ }};
             template <class T> struct A{level}<T, true> : A{base}<T> {{ using own{level} = T; }};\n"
        );
    }
    source += "struct X : A39<int> { using outer = real; using inner = own39; };
        using first = X::outer; using second = X::inner;";
    types(&source, "first = float\nsecond = int");
}
