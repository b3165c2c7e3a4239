//! The walks that passes share, and those that they do not: what one pass reads otherwise leads elsewhere there.

use super::instantiations;

/// A body is walked once for passes that read it, and all that it leads to, alike: not where a name that it comes to means
/// another thing, wherever that was looked up.
#[test]
fn passes_share_the_walks_of_bodies_that_they_read_alike() {
    let host_only = "
#ifdef __CUDA_ARCH__
#define WHERE static __device__
#else
#define WHERE __global__
#endif
        template <class T, int N> WHERE void own(T *p) { }
        template <class T> WHERE void deep(T *p) { }";
    let cases = [
        "template <void (*F)(float *)> void run(float *p) { F<<<1, 1>>>(p); }
         void host() { run<own<float, 1>>(nullptr); }",
        "template <auto F, class... A> void any(A... a) { F<<<1, 1>>>(a...); }
         void host() { any<own<float, 1>>((float *)nullptr); }",
        "template <class T> void inner(T *p) { own<T, 1><<<1, 1>>>(p); }
         template <class T> void outer(T *p) { inner(p); }
         void host() { outer((float *)nullptr); }",
        "template <class T> struct S { void go(T *p) { own<T, 1><<<1, 1>>>(p); } };
         void host() { S<float>().go(nullptr); }",
    ];
    for case in cases {
        instantiations(&format!("{host_only}{case}"), "host: own<float, 1>");
    }
    // A body that was visited in one pass only, on the way from code that the other one lacks.
    instantiations(
        &format!(
            "{host_only}
             template <class T> void last(T *p) {{ k<T, 7><<<1, 1>>>(p); }}
             template <class T> void middle(T *p) {{ last(p); }}
#ifndef __CUDA_ARCH__
             void of_the_host() {{ last((float *)nullptr); }}
#endif
             void first() {{ middle((float *)nullptr); deep<float><<<1, 1>>>(nullptr); }}"
        ),
        "host: deep<float>",
    );
}

/// What a pass asked of the walks before is asked again where another pass has the same code: which functions are left to other
/// objects, which generic lambdas were called, what a local declaration is.
#[test]
fn passes_share_no_walk_that_would_go_another_way() {
    // Another object has the function for devices only.
    instantiations(
        "template <class T> void run(T *p) { k<T><<<1, 1>>>(p); }
#ifdef __CUDA_ARCH__
         extern template void run<int>(int *);
#endif
         void host(int *p) { run(p); k<real><<<1, 1>>>(nullptr); }",
        "host: k<double, 1> k<int, 1>\nsm_80: k<float, 1>",
    );
    instantiations(
        "template <class T> struct S { void run(T *p); };
         template <class T> void S<T>::run(T *p) { k<T><<<1, 1>>>(p); }
#ifdef __CUDA_ARCH__
         extern template struct S<int>;
#endif
         void host(int *p) { S<int>().run(p); k<real><<<1, 1>>>(nullptr); }",
        "host: k<double, 1> k<int, 1>\nsm_80: k<float, 1>",
    );
    // A generic lambda is called for an argument in one pass, and else followed for unknown ones.
    instantiations(
        "template <class F> void call(F f) {
#ifndef __CUDA_ARCH__
             f(1);
#endif
         }
         void host() { auto f = [](auto x) { k<decltype(x)><<<1, 1>>>(nullptr); }; call(f); }",
        "host: k<int, 1> ?\nsm_80: k<auto, 1> ?",
    );
    // Classes of one name that are local to a function which the passes read differently.
    instantiations(
        "template <class T> void go(T) { k<T, T::n><<<1, 1>>>(nullptr); }
         void host() {
#ifdef __CUDA_ARCH__
             struct Local { static const int n = 2; };
#else
             struct Local { static const int n = 3; };
#endif
             go(Local());
         }",
        "host: k<Local, 3>\nsm_80: k<Local, 2>",
    );
    instantiations(
        "template <class T, T value> void go() { k<T, int(value)><<<1, 1>>>(nullptr); }
         void host() {
#ifdef __CUDA_ARCH__
             enum Local { last = 2 };
#else
             enum Local { last = 3 };
#endif
             go<Local, last>();
         }",
        "host: k<Local, 3>\nsm_80: k<Local, 2>",
    );
}

/// Passes share no answer about a class that some of them alone define or specialize.
#[test]
fn passes_share_no_answer_about_a_class_that_some_of_them_define() {
    let library = "
        template <class T> struct Pointee;
        template <class T> struct Pointee<T *> { using type = T; };
        template <class T> constexpr int size(...) { return 2; }
        template <class T> constexpr int size(int, decltype(T::value) * = nullptr) { return 1; }
        template <class T, class = void> struct Measured { static const int n = 2; };
        template <class T> struct Measured<T, decltype(void(sizeof(T)))> { static const int n = 1; };";
    let cases = [
        ("typedef struct Maybe *Handle;", "struct Maybe { static const int value = 1; };"),
        ("struct Maybe; typedef Maybe *Handle;", "struct Maybe { static const int value = 1; };"),
        (
            "template <class T> struct Of; typedef Of<int> *Handle;",
            "template <class T> struct Of { static const int value = 1; };",
        ),
        (
            "template <class T> struct Of; typedef Of<int> *Handle;",
            "template <> struct Of<int> { static const int value = 1; };",
        ),
        (
            "namespace n { template <class T> struct Of; } typedef n::Of<int> *Handle;",
            "template <> struct n::Of<int> { static const int value = 1; };",
        ),
    ];
    for (before, device) in cases {
        let source = format!(
            "{library}{before}
#ifdef __CUDA_ARCH__
            {device}
#endif
            void host() {{
                k<int, size<Pointee<Handle>::type>(1)><<<1, 1>>>(nullptr);
                k<char, Measured<Pointee<Handle>::type>::n><<<1, 1>>>(nullptr);
            }}"
        );
        instantiations(&source, "host: k<char, 2> k<int, 2>\nsm_80: k<char, 1> k<int, 1>");
    }
}

/// Passes share a class template that differs between them in a member alias alone, but each has its own alias.
#[test]
fn passes_share_a_class_but_for_the_aliases_that_differ() {
    let chain = "
#ifdef __CUDA_ARCH__
#define ARCH (__CUDA_ARCH__)
#else
#define ARCH 0
#endif
        template <bool B, class T, class U> struct If { using type = T; };
        template <class T, class U> struct If<false, T, U> { using type = U; };
        struct Old { static const int n = 2; using element = char; };
        struct New { static const int n = 3; using element = short; };
        template <class P> struct Chained {
            using Active = typename If<(ARCH < 700), Old, P>::type;
            using Again = Active;
            using Policy = P;
            static const int count = 5;
            typename Active::element value;
            Chained(typename Active::element *);
            void go(float *p) { k<float, Active::n><<<1, 1>>>(p); }
            template <class F> static void each(F f) { f.template run<P>(); }
            static typename Active::element *element();
        };
        ";
    let differ = [
        "template <class C> void run(float *p) { k<float, C::Active::n><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); }",
        "template <class C> void run(float *p) { k<float, C::Again::n><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); }",
        "template <class C> struct Derived : C { void run(float *p) { k<float, C::Active::n><<<1, 1>>>(p); } };
         void host() { Derived<Chained<New>>(nullptr).run(nullptr); }",
        "void host() { Chained<New>(nullptr).go(nullptr); }",
        "template struct Chained<New>;",
        "template <class C, class A = typename C::Active> void run(float *p) { k<float, A::n><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); }",
        "template <class C> struct Deep { template <class A> void run(float *p) { k<float, A::n><<<1, 1>>>(p); }
             void all() { run<typename C::Active>(nullptr); } };
         void host() { Deep<Chained<New>>().all(); }",
    ];
    for case in differ {
        instantiations(&format!("{chain}{case}"), "host: k<float, 2>\nsm_80: k<float, 3>");
    }
    // By the class's layout, by the type of a member function's result and by its constructor.
    let others = [
        "template <class C> void run(float *p) { k<float, sizeof(C)><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); }",
        "template <class C> void run(float *p) { k<float, sizeof(*C::element())><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); }",
        "template <class C> struct Sized { static const int n = sizeof(typename C::Again::element); };
         template <class C> void run(float *p) { k<float, Sized<C>::n><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); }",
    ];
    for case in others {
        instantiations(&format!("{chain}{case}"), "host: k<float, 1>\nsm_80: k<float, 2>");
    }
    // What does not depend on the alias is the same.
    let same = [
        "template <class C> void run(float *p) { k<float, C::Policy::n><<<1, 1>>>(p); }
         void host() { run<Chained<New>>(nullptr); k<real><<<1, 1>>>(nullptr); }",
        "struct Launch { template <class P> void run() { k<float, P::n><<<1, 1>>>(nullptr); } };
         void host() { Chained<New>::each(Launch()); k<real><<<1, 1>>>(nullptr); }",
    ];
    for case in same {
        instantiations(&format!("{chain}{case}"), "host: k<double, 1>\nsm_80: k<float, 1>");
    }
    // The class is deduced from an argument of the alias's type.
    instantiations(
        &format!(
            "{chain}
             template <class T, bool B> struct Two {{ }};
             template <class T> struct Of {{ using Argument = Two<T, (ARCH < 700)>; Of(Argument); }};
             template <class T> void go(Of<T>) {{ k<T><<<1, 1>>>(nullptr); }}
             void host() {{ Of one(Two<char, (ARCH < 700)>{{}}); go(one); k<real><<<1, 1>>>(nullptr); }}"
        ),
        "host: k<double, 1>\nsm_80: k<float, 1>",
    );
}

/// The same of a class that differs in the bodies of member functions, and in pragmas, which mean nothing here.
#[test]
fn passes_share_a_class_but_for_the_bodies_that_differ() {
    let macros = "
#ifdef __CUDA_ARCH__
#define NUMBER 3
#define IN_HOST(...)
#define IN_DEVICE(...) __VA_ARGS__
#define UNROLL #pragma unroll
#else
#define NUMBER 2
#define IN_HOST(...) __VA_ARGS__
#define IN_DEVICE(...)
#define UNROLL
#endif
        struct Old { static const int n = 2; };
        struct New { static const int n = 3; };
        template <int N> struct Of { static const int n = N; };
        ";
    let differ = [
        "template <class T> struct S { void go(T *p) { k<T, NUMBER><<<1, 1>>>(p); } };
         void host() { S<float>().go(nullptr); }",
        "template <class T> struct S { void go(T *p) { k<T, NUMBER><<<1, 1>>>(p); } };
         template struct S<float>;",
        "template <class T> struct S { void go(T *p) { k<T, NUMBER><<<1, 1>>>(p); } };
         template void S<float>::go(float *);",
        "template <class T> struct S { template <class U> void go(U *p) { k<T, NUMBER><<<1, 1>>>(nullptr); } };
         void host(char *p) { S<float>().go(p); }",
        "template <class T> struct S { void go(T *p) { k<T, NUMBER><<<1, 1>>>(p); } };
         template <class T> struct D : S<T> { using S<T>::go; void run() { this->go(nullptr); } };
         void host() { D<float>().run(); }",
        "struct S { void go(float *p) { k<float, NUMBER><<<1, 1>>>(p); } };",
        // Two overloads of one place.
        "#define BOTH(name) void name(T) { k<T, 7><<<1, 1>>>(nullptr); } void name(T *p) { k<T, NUMBER><<<1, 1>>>(p); }
         template <class T> struct S { BOTH(go) };
         void host() { S<float>().go(nullptr); }",
        "struct S { static auto make() { return Of<NUMBER>(); } };
         void host() { k<float, decltype(S::make())::n><<<1, 1>>>(nullptr); }",
        "struct S { static constexpr int number() { return NUMBER; } };
         template <class C> void go() { k<float, C::number()><<<1, 1>>>(nullptr); }
         void host() { go<S>(); }",
        "template <class T> struct S { S(T *p) { k<T, NUMBER><<<1, 1>>>(p); } };
         void host() { S<float> one(nullptr); }",
        "template <class T> struct S { ~S() { k<T, NUMBER><<<1, 1>>>(nullptr); } };
         void host() { S<float> one; }",
        "template <class T> struct S { void operator()(T *p) { k<T, NUMBER><<<1, 1>>>(p); } };
         void host() { S<float>()(nullptr); }",
        "template <class T> struct S { operator int() { k<T, NUMBER><<<1, 1>>>(nullptr); return 0; } };
         void host() { int one = S<float>(); }",
        "template <class T> struct S { virtual void go() { k<T, NUMBER><<<1, 1>>>(nullptr); } };
         void host() { S<float> one; }",
        "struct Base { virtual void go() { } };
         template <class T> struct S : Base { void go() { k<T, NUMBER><<<1, 1>>>(nullptr); } };
         void host() { S<float> one; }",
        "template <class T> struct S { struct In { void go() { k<T, NUMBER><<<1, 1>>>(nullptr); } }; };
         void host() { S<float>::In().go(); }",
        "template <class T> struct S { friend void go(S) { k<T, NUMBER><<<1, 1>>>(nullptr); } };
         void host() { go(S<float>()); }",
        "template <class T> struct S { void go() { auto f = [](T *p) { k<T, NUMBER><<<1, 1>>>(p); }; f(nullptr); } };
         void host() { S<float>().go(); }",
        // Each pass has functions of its own by what braces close.
        "template <class T> struct S {
             void all() { IN_HOST(} void first() { k<T, 2><<<1, 1>>>(nullptr);) }
#ifdef __CUDA_ARCH__
             void first() { k<T, 3><<<1, 1>>>(nullptr); }
#endif
         };
         void host() { S<float>().first(); }",
        "template <class T> struct Base { void first() { k<T, 2><<<1, 1>>>(nullptr); } };
         template <class T> struct S : Base<T> {
             void all() { IN_DEVICE(} void first() { k<T, 3><<<1, 1>>>(nullptr);) }
         };
         void host() { S<float>().first(); }",
    ];
    for case in differ {
        instantiations(&format!("{macros}{case}"), "host: k<float, 2>\nsm_80: k<float, 3>");
    }
    let same = [
        "template <class T> struct S { void go() { k<T><<<1, 1>>>(nullptr); } int other() { return NUMBER; } };
         void host() { S<char>().go(); k<real><<<1, 1>>>(nullptr); }",
        "template <class T> struct S {
             void go() {
                 UNROLL
                 for (int i = 0; i < 3; i++) { k<T><<<1, 1>>>(nullptr); }
             }
         };
         void host() { S<char>().go(); k<real><<<1, 1>>>(nullptr); }",
        "template <class T> struct S { void go() { UNROLL
                 k<T><<<1, 1>>>(nullptr); } };
         void host() { S<char>().go(); k<real><<<1, 1>>>(nullptr); }",
    ];
    for case in same {
        instantiations(&format!("{macros}{case}"), "host: k<double, 1>\nsm_80: k<float, 1>");
    }
}
