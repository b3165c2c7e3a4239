//! Declarations whose brackets are not closed yet.

use super::check;

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
