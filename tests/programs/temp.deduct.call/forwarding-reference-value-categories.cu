// [temp.deduct.call] forwarding references deduce lvalue references, const and plain types
#include <utility>
template <class T> __global__ void k() {}
template <class T> void go(T &&) { k<T *><<<1, 1>>>(); }
template <class T> void cats(T &&) { k<std::remove_reference_t<T>><<<1, 1>>>(); }
template <class T> struct Probe { static void run() { k<Probe<T>><<<1, 1>>>(); } };
template <class T> void exact(T &&) { Probe<T>::run(); }
int get();
int main() {
  int i = 0;
  const double d = 0;
  exact(i);
  exact(d);
  exact(get());
  exact(std::move(i));
  cats(d);
  go(3.f);
}
