// [expr.call] calls in arguments, nested and through members, conditional and sizeof
template <class T, int N> __global__ void k() {}
template <class T> T id(T v) { k<T, 1><<<1, 1>>>(); return v; }
struct S { template <class T> S &add(T) { k<T, 2><<<1, 1>>>(); return *this; } int n = 0; };
void sink(int, double) {}
int never();
int main(int argc, char **) {
  sink(id(1), id(2.5));
  S().add(1).add('c').add(id(2.f)).n++;
  argc > 1 ? (void)id(1L) : (void)id(2u);
  unsigned size = sizeof(id(short(1)));
  static_assert(sizeof(decltype(id(true))) == 1, "");
}
