// [over.best.ics] one user-defined conversion, ranked by its second standard conversion
template <int N> __global__ void k() {}
struct Scalar {
  operator int() const { return 1; }
};
struct FromInt { FromInt(int) {} };
void f(int) { k<1><<<1, 1>>>(); }
void f(double) { k<2><<<1, 1>>>(); }
void g(FromInt) { k<3><<<1, 1>>>(); }
void g(...) { k<4><<<1, 1>>>(); }
void h(long) { k<5><<<1, 1>>>(); }
void h(FromInt) { k<6><<<1, 1>>>(); }
int main() {
  f(Scalar{});
  g(3);
  g(Scalar{});
  h(2);
  g(1.5f);
}
