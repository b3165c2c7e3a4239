// [cpp17] deduction guides, implicit and written, for launch parameters
template <class T, int N> __global__ void k() {}
template <class T, int N = 1> struct View {
  View(T *, int) {}
  View(T (&)[N]) {}
  void run() const { k<T, N><<<1, 1>>>(); }
};
template <class T, int N> View(T (&)[N]) -> View<T, N>;
template <class T> struct Wrap { T v; };
template <class T> Wrap(T) -> Wrap<T *>;
template <class A, class B = A> struct Two { Two(A, B) {} Two(A) {} static void go() { k<B, sizeof(A)><<<1, 1>>>(); } };
int main() {
  float a[5];
  View v(a);
  v.run();
  View(new double, 3).run();
  Two two(1, 'c');
  decltype(two)::go();
  Two one{2.f};
  one.go();
}
