//! Mentions of kernel templates that no walk settles.

use super::{Fixture, lines};
use crate::facts::facts;

const KERNEL: &str = "template <class T, int N = 1> __global__ void k(T *out) { }\n";

/// Compares the [`unsettled`] mentions of a source with `expected`.
fn check(source: &str, expected: &str) {
    assert_eq!(unsettled(source), lines(expected), "{source}");
}

/// The unsettled mentions of a source: a line for each, with its place in the source behind the kernel, the mention, the
/// passes that have it, the cause, and whether its arguments may differ.
fn unsettled(source: &str) -> Vec<String> {
    let fixture = Fixture::new(&format!("{KERNEL}{source}"), "80,90");
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let guarded = facts.unproved.iter().map(|one| {
        let passes = fixture.passes(one.passes);
        format!(
            "{}: {} leads to {} [{passes}]: {}",
            fixture.line(one.at) - 1,
            one.written,
            one.kernel,
            one.why
        )
    });
    let spots = facts.blind_spots.iter().map(|spot| {
        let varies = if spot.varies { "; varies" } else { "" };
        let passes = fixture.passes(spot.passes);
        format!("{}: {} [{passes}]: {}{varies}", fixture.line(spot.at) - 1, spot.name, spot.why)
    });
    guarded.chain(spots).collect()
}

#[test]
fn a_guarded_launch_where_no_walk_came_is_told_if_its_function_may_be_used() {
    check(
        "class Other;
         struct Part { template <class T> void go(T) {
#ifndef __CUDA_ARCH__
           k<T><<<1, 1>>>(nullptr);
#endif
         } };
         void host(Other &other) { other.go(1); }",
        "4: k<T> leads to k [host]: nothing that was followed instantiates the function around it",
    );
    // The call is one of a member, wherever the class has it.
    check(
        "class Other;
         template <class T> void go(T) {
#ifndef __CUDA_ARCH__
           k<T><<<1, 1>>>(nullptr);
#endif
         }
         void host(Other &other) { other.go(1); }",
        "",
    );
    // The class has another function of that name.
    check(
        "struct Other { void go(int); };
         template <class T> void go(T) {
#ifndef __CUDA_ARCH__
           k<T><<<1, 1>>>(nullptr);
#endif
         }
         template <class T> void unused(T of) { go(of); }
         void host(Other &other) { other.go(1); }",
        "",
    );
    // Nothing mentions the function.
    check(
        "template <class T> void go(T) {
#ifndef __CUDA_ARCH__
           k<T><<<1, 1>>>(nullptr);
#endif
         }
         void host() { k<int><<<1, 1>>>(nullptr); }",
        "",
    );
    // It is left to another object.
    check(
        "template <class T> void go(T) {
#ifndef __CUDA_ARCH__
           k<T><<<1, 1>>>(nullptr);
#endif
         }
         extern template void go(float);
         void host() { go(1.f); }",
        "",
    );
}

#[test]
fn names_of_the_standard_library_launch_nothing_by_themselves() {
    let source = |declared: &str, mentioned: &str| {
        format!(
            "template <class T> void launch(T) {{ k<T><<<1, 1>>>(nullptr); }} void also() {{ launch(1); }}
             namespace {declared} {{ template <class T> struct failure {{ failure(T of) {{ launch(of); }} }}; }}
             class Other;
             struct Part {{ template <class T> void go(T of) {{
#ifndef __CUDA_ARCH__
               throw ::{mentioned}::failure<T>{{of}};
#endif
             }} }};
             void host(Other &other) {{ other.go(1); }}"
        )
    };
    check(&source("own", "std"), "");
    let told =
        "6: failure<T> leads to k [host]: nothing that was followed instantiates the function around it";
    check(&source("own", "own"), told);
}

#[test]
fn a_guarded_name_of_a_variable_template_counts_where_the_host_declares_it_for_gpus() {
    let source = |specifiers: &str| {
        format!(
            "{specifiers}
             template <class T> VARIABLE int table{{1}};
             class Other;
             struct Part {{ template <class T> const int *go(T) {{
#ifndef __CUDA_ARCH__
               return &table<T>;
#endif
             }} }};
             void host(Other &other) {{ other.go(1); }}"
        )
    };
    let mention =
        "6: table<T> leads to table [host]: nothing that was followed instantiates the function around it";
    check(&source("#define VARIABLE __device__"), mention);
    // The host has a variable of its own, which it registers nowhere.
    let twin = "#ifdef __CUDA_ARCH__\n#define VARIABLE __device__ constexpr\n#else\n#define VARIABLE inline constexpr\n#endif";
    check(&source(twin), "");
}

#[test]
fn a_function_that_only_guarded_code_uses_may_differ() {
    let source = |guard: &str, end: &str| {
        format!(
            "template <class T> void launch() {{ k<T><<<1, 1>>>(nullptr); }}
             template <class T> struct Strange {{ __host__ __device__ void operator->*(int) {{
{guard}
               launch<T>();
{end}
             }} }};
             void host() {{ Strange<float> strange; strange ->* 2; }}
#ifdef __CUDA_ARCH__
             template <class T> void other() {{ k<T><<<1, 1>>>(nullptr); }}
#endif"
        )
    };
    let spot = "1: k<T> [*]: nothing that was followed instantiates the function around it";
    check(&source("#ifndef __CUDA_ARCH__", "#endif"), &format!("{spot}; varies"));
    check(&source("", ""), spot);
}

#[test]
fn a_guarded_call_where_no_walk_came_is_told_if_each_function_of_the_name_launches() {
    let why = "nothing that was followed instantiates the function around it";
    let calls = |definitions: &str, call: &str, expected: &str| {
        let source = format!(
            "{definitions}\nclass Other;\nstruct Part {{ template <class T> void go(T x) {{\n#ifndef __CUDA_ARCH__\n\
             {call};\n#endif\n}} }};\nvoid host(Other &other) {{ other.go(1); }}"
        );
        let mut of_the_call = unsettled(&source);
        of_the_call.retain(|line| line.starts_with("5: "));
        assert_eq!(of_the_call, lines(&expected.replace("WHY", why)), "{source}");
    };
    let launch = "template <class T> void launch(T) { k<T><<<1, 1>>>(nullptr); }";
    let told = |written: &str| format!("5: {written} leads to k [host]: WHY");
    calls(launch, "launch(x)", &told("launch"));
    let by_another = "template <class T> void twice(T x) { if (x) twice(0); launch(x); }";
    calls(&format!("{launch} {by_another}"), "twice(x)", &told("twice"));
    // One of two overloads, of two member functions: which is meant is not known.
    let spot = |written: &str| format!("5: {written} [host]: WHY");
    let none = "template <class T> void launch(T *) { }";
    calls(&format!("{launch} {none}"), "launch(x)", &spot("launch"));
    let of_two = "template <class T> void launch(T, int) { }";
    calls(&format!("{launch} {of_two}"), "launch(x, 1)", "");
    let member = "template <class T> struct Runs { void run() { k<T><<<1, 1>>>(nullptr); } };";
    calls(member, "x.run()", &told("run"));
    let members = format!("{member} struct Rests {{ void run() {{ }} }};");
    calls(&members, "x.run()", &spot("run"));
    // A class that defines the member is named: another's does not count.
    let by_class = format!("{members} template <class T> struct From : Runs<T> {{ }};");
    calls(&by_class, "Runs<T>::run()", &told("run"));
    calls(&by_class, "Runs<Runs<T[(2 < 3)]>>::run()", &told("run"));
    calls(&by_class, "Runs<T>::template run()", &told("run"));
    calls(&by_class, "Rests::run()", "");
    calls(&by_class, "From<T>::run()", &spot("run"));
    let outside =
        "template <class T> struct Runs { static void run(); }; struct Rests { static void run(); };
                   template <class T> void Runs<T>::run() { k<T><<<1, 1>>>(nullptr); } void Rests::run() { }";
    calls(&outside.replace('\n', " "), "Runs<T>::run()", &told("run"));
    calls(&outside.replace('\n', " "), "Rests::run()", "");
    // A specialization may inherit it from a class that launches: the primary template does not settle it.
    let inherited = "template <class T> struct Runs { static void run() { k<T><<<1, 1>>>(nullptr); } };
                     template <class T> struct Own { static void run() { } }; template <class T> struct Own<T *> : Runs<T> { };
                     template <class T> void run() { k<T><<<1, 1>>>(nullptr); }";
    calls(&inherited.replace('\n', " "), "Own<T>::run()", &spot("run"));
    // Functions that GPUs may call, too, launch nothing; those that GPUs alone run are not meant.
    calls(&format!("{launch} __host__ __device__ void launch(int, int) {{ }}"), "launch(x)", &spot("launch"));
    calls(&format!("{launch} __device__ void launch(int, int) {{ }}"), "launch(x)", &told("launch"));
    // Constructors, in the class and outside of it, by an alias; another member function is none.
    let class = "template <class T> struct Filled { Filled(T x) { launch(x); } }; using Ints = Filled<int>;";
    calls(&format!("{launch} {class}"), "Ints(1)", &told("Ints"));
    let outside = "template <class T> struct Filled { Filled(T); };
                   template <class T> Filled<T>::Filled(T x) { launch(x); }";
    calls(&format!("{launch} {}", outside.replace('\n', " ")), "Filled<T>(x)", &told("Filled<T>"));
    let other = "template <class T> struct Filled { Filled(T); void refill(T x) { launch(x); } };";
    calls(&format!("{launch} {other}"), "Filled<T>(x)", "");
    // What is qualified with `std` is no function of the program.
    calls(&format!("{launch} namespace std {{ struct size; }}"), "std::launch(x)", "");
}

#[test]
fn a_guarded_call_whose_object_or_class_was_not_found_is_told_if_each_member_of_the_name_launches() {
    let guarded = |classes: &str, call: &str| {
        format!("{classes}\nvoid host(Missing &x) {{\n#ifndef __CUDA_ARCH__\n{call};\n#endif\n}}")
    };
    let runs = "struct Runs { template <class T> static void run(T) { k<T><<<1, 1>>>(nullptr); } };";
    let both = format!("{runs} struct Rests {{ static void run(int) {{ }} }};");
    let within = "1: k<T> [*]: nothing that was followed instantiates the function around it; varies";
    for (call, why) in [
        ("x.run(1)", "the class of the object is not known"),
        ("Missing::run(1)", "nothing that was read declares it"),
    ] {
        check(&guarded(runs, call), &format!("4: run leads to k [host]: {why}\n{within}"));
        check(&guarded(&both, call), &format!("{within}\n4: run [host]: {why}"));
    }
}

#[test]
fn what_every_pass_mentions_alike_is_no_difference() {
    check(
        "class Other;
         struct Part { template <class T> void go(T) {
#ifdef __CUDA_ARCH__
           k<T, 2><<<1, 1>>>(nullptr);
#else
           k<T, 2><<<1, 1>>>(nullptr);
#endif
         } };
         void host(Other &other) { other.go(1); }",
        "6: k<T, 2> [host]: nothing that was followed instantiates the function around it",
    );
}

#[test]
fn destructors_and_operators_are_followed_by_their_first_tokens() {
    check(
        "template <class T> struct Held {
           ~Held() {
#ifndef __CUDA_ARCH__
             k<T><<<1, 1>>>(nullptr);
#endif
           }
           void operator()(T) {
#ifndef __CUDA_ARCH__
             k<T><<<1, 1>>>(nullptr);
#endif
           }
         };
         void host() { Held<int> held; held(1); (void)&k<int>; }",
        "",
    );
}

#[test]
fn arguments_that_vary_leave_the_run_incomplete() {
    check(
        "class Other;
#if __CUDA_ARCH__ >= 900
         constexpr int width = 8;
#else
         constexpr int width = 4;
#endif
         struct Part { template <class T> void go(T) { k<T, width><<<1, 1>>>(nullptr); } };
         void host(Other &other) { other.go(1); }",
        "7: k<T, width> [*]: nothing that was followed instantiates the function around it; varies",
    );
}

#[test]
fn names_in_code_for_both_sides_lead_nowhere_by_their_spelling() {
    check(
        "template <class T> void max(T) { k<T><<<1, 1>>>(nullptr); }
         class Other;
         struct Part { template <class T> __host__ __device__ void go(T x) {
#ifndef __CUDA_ARCH__
           max(x);
#endif
         } };
         void host(Other &other) { other.go(1); }",
        "1: k<T> [*]: nothing that was followed instantiates the function around it; varies",
    );
}

#[test]
fn launches_of_names_that_nothing_declares_are_told() {
    let why = "nothing that was read declares it";
    check(
        "void host(int *p) {
#ifndef __CUDA_ARCH__
           from_missing<float><<<1, 1>>>(p);
#endif
           lib::other<int, 4><<<dim3(1), 1>>>(p);
         }",
        &format!("3: from_missing<float> [host]: {why}; varies\n5: other<int, 4> [*]: {why}"),
    );
    check(
        "#ifdef __CUDA_ARCH__
         using real = float;
#else
         using real = double;
#endif
         void host() { from_missing<real><<<1, 1>>>(); }",
        &format!("6: from_missing<real> [*]: {why}; varies"),
    );
    // Parameters, local variables and template parameters are declared.
    check(
        "#ifdef __CUDA_ARCH__
         int only_there;
#endif
         template <auto F> void by_value() { F<<<1, 1>>>(); }
         template <class F> void by_parameter(F of, void (*pointer)(int)) { of<<<1, 1>>>(); pointer<<<1, 1>>>(2); }
         void host() { auto chosen = &k<int>; chosen<<<1, 1>>>(nullptr); [](auto other) { other<<<1, 1>>>(); }(chosen); }",
        "",
    );
}

#[test]
fn kernels_given_to_macros_that_nothing_defines_are_told() {
    let why = "nothing that was read defines the macro around it";
    check(
        "template <class T> void launches(T *out) { k<T><<<1, 1>>>(out); }
         template <class T> void rests(T *out) { }
         REGISTER(fill, 1, k<float>);
         REGISTER(fill, launches<int>, rests<int>)
#ifndef __CUDA_ARCH__
         REGISTER(more, [](int *p) { launches(p); });
#endif
         static_assert(sizeof(k<float>) > 0);
         template <class T> struct filled { filled(T *out) { k<T><<<1, 1>>>(out); } filled() {} };
         filled(void (*)(int), double *) -> filled<double>;
         filled() -> filled<int>;",
        &format!("3: k<float> [*]: {why}\n4: launches<int> [*]: {why}\n6: launches [host]: {why}; varies"),
    );
}

#[test]
fn calls_of_libraries_that_were_not_found_are_told() {
    let why = "nothing that was read declares it";
    let found = "#include <thrust/sort.h>
         namespace thrust { struct mine; }
#ifdef __CUDA_ARCH__
         using real = float;
#else
         using real = double;
#endif
         void host(int *p, int n) {
#ifndef __CUDA_ARCH__
           thrust::sort(p, p + n);
#endif
           cub::DeviceReduce::Sum(nullptr, n, p, p, n);
           ::cub::DispatchReduce<real, int>::Dispatch(p);
           thrust::device_vector<real> kept(n);
         }";
    check(
        found,
        &format!(
            "10: thrust::sort [host]: {why}; varies\n12: cub::DeviceReduce::Sum [*]: {why}\n\
             13: cub::DispatchReduce<real,int>::Dispatch [*]: {why}; varies\n\
             14: thrust::device_vector<real> [*]: {why}; varies"
        ),
    );
    let own = "#include <cub/cub.cuh>
         void sort(int *p) { }
         void host(int *p) {
#ifndef __CUDA_ARCH__
           thrust::sort(p);
#endif
         }";
    check(own, &format!("5: thrust::sort [host]: {why}; varies"));
    let shortened = "#include <cub/cub.cuh>
         using namespace cub; using thrust::sort;
         void reduce(int *p) { }
         void host(int *p) {
#ifndef __CUDA_ARCH__
           DeviceRadixSort::SortKeys(p);
           sort(p, p);
           reduce(p);
           this_one.sort(p); std::sort(p, p);
#endif
         }";
    check(
        shortened,
        &format!("6: DeviceRadixSort::SortKeys [host]: {why}; varies\n7: sort [host]: {why}; varies"),
    );
    let aliased = "#include <thrust/sort.h>
         namespace th = ::thrust;
         void host(int *p) {
           namespace device = cub;
#ifndef __CUDA_ARCH__
           th::sort(p, p);
           device::DeviceReduce::Sum(p);
#endif
         }";
    check(
        aliased,
        &format!("6: th::sort [host]: {why}; varies\n7: device::DeviceReduce::Sum [host]: {why}; varies"),
    );
    let rest = "#include <cub/cub.cuh>
         void host(int *p, int n, thrust::device_vector<int> &v) {
           thrust::sort(thrust::host, p, p + n);
           thrust::get<0>(p);
           cub::NullType none;
           my::thrust::sort(p, p);
           thrust::sort(::thrust::system::omp::par, p, p + n);
           cub::DeviceCount();
#ifndef __CUDA_ARCH__
           typedef thrust::device_vector<int> vector;
           thrust::device_vector<int>::iterator it;
#endif
         }
         __device__ void device(int *p) { cub::DeviceReduce::Sum(nullptr, p); }";
    check(rest, "");
    // A header that declares it was read: what it leads to is followed.
    let declared = "#include <cub/cub.cuh>
         namespace cub { struct DeviceReduce { static void Sum(int *p) { } }; }
         void host(int *p) { cub::DeviceReduce::Sum(p); }";
    check(declared, "");
}
