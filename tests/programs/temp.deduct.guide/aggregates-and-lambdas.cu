// [temp.deduct.guide] guides of aggregates: the overload set of lambdas
template <class T> __global__ void k() {}
template <class... F> struct Overload : F... { using F::operator()...; };
template <class... F> Overload(F...) -> Overload<F...>;
template <class T> void go(T) { k<T><<<1, 1>>>(); }
template <class T> struct Point { T x, y; };
template <class T> Point(T, T) -> Point<T>;
int main() {
  Overload o{[](int i) { go(i); }, [](const char *s) { go(s); }, [](auto *p) { go(*p); }};
  o(1);
  o("a");
  float f = 0;
  o(&f);
  Point p{1.0, 2.0};
  go(p);
}
