// [over.best.ics] braced arguments to aggregates, arrays and scalars
template <int N> __global__ void k() {}
struct P { int x, y; };
struct Q { P a; P b; };
void f(P) { k<1><<<1, 1>>>(); }
void f(Q) { k<2><<<1, 1>>>(); }
void g(int) { k<3><<<1, 1>>>(); }
void g(P) { k<4><<<1, 1>>>(); }
template <int N> void h(const int (&)[N]) { k<10 + N><<<1, 1>>>(); }
int main() {
  f({1, 2, 3, 4});
  g({7});
  h({1, 2, 3});
}
