// [temp.spec] a member function template of a class specialized at namespace scope
template <class T, int N> __global__ void k() {}
struct Dispatcher {
  template <class T> void call() { k<T, 1><<<1, 1>>>(); }
  template <int N> static int get() { k<void, N><<<1, 1>>>(); return N; }
};
template <> void Dispatcher::call<float>() { k<float, 2><<<1, 1>>>(); }
template <> int Dispatcher::get<0>() { k<void, 1000><<<1, 1>>>(); return 0; }
int main() {
  Dispatcher d;
  d.call<int>();
  d.call<float>();
  Dispatcher::get<0>();
  d.get<5>();
}
