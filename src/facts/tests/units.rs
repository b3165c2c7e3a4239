//! The facts of units, with their causes.

use super::check;

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
fn a_guard_around_a_mention_is_the_cause_before_guards_in_the_mentioned_declaration() {
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
fn the_conditional_that_an_argument_depends_on_is_the_cause() {
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
fn classes_whose_layouts_differ() {
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
