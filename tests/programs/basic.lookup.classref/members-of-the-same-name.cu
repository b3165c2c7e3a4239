// [basic.lookup.classref] members of one name, of which those of one class launch
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T> struct Launches {
  static constexpr int value = 1;
  template <class U> void run(U) const { k<U, 1><<<1, 1>>>(); }
  template <class U> static void start(U) { k<U, 2><<<1, 1>>>(); }
};
template <class T> struct Computes {
  template <class U> U run(U of) const { return of; }
  template <class U> static U start(U of) { return of; }
};
template <class T> struct Inherits : Launches<T> {};
template <class T> struct Forwards {
  Launches<T> inner;
  template <class U> void run(U of) const { inner.run(of); }
};
template <class O> struct Holds {
  static constexpr int value = O::value;
  static constexpr bool same = std::is_same<O, typename O::type>::value;
  O object;
  template <class U> void run(U of) const { object.run(of); }
};
struct Calls {
  template <class U> void operator()(U of) const { k<U, 3><<<1, 1>>>(); }
};
template <class O, class U> void call(const O &object, U of) { object.run(of); }
template <class O, class U> void call_static(U of) { O::start(of); }
template <class O> void both(const O &object) {
  call(object, 1.0f);
  call_static<O>(1u);
}
template <class F, class U> void called(F f, U of) { f(of); }
template <class O, class F> void calls_and_runs(const O &object, F f) {
  auto result = object.run('c');
  called(f, result);
}
int main() {
  call(Computes<int>(), 1);
  call(Launches<int>(), 2L);
  call(Inherits<char>(), short());
  call(Forwards<char>(), true);
  call(Holds<Launches<float>>(), 1.0);
  call_static<Computes<int>>(1);
  both(Inherits<int>());
  calls_and_runs(Computes<int>(), Calls());
  return Holds<Launches<int>>::value;
}
