// [temp.class.spec] partial specializations of a variable template of functions
template <class T, int N> __global__ void k() {}
template <class T> void generic() { k<T, 1><<<1, 1>>>(); }
template <class T> void packed() { k<T, 2><<<1, 1>>>(); }
template <class T> constexpr auto launcher = &generic<T>;
template <class T> constexpr auto launcher<T *> = &packed<T>;
template <class T, int N> struct V {};
template <class T> constexpr auto launcher<V<T, 2>> = &packed<V<T, 4>>;
int main() {
  launcher<float>();
  launcher<int *>();
  launcher<V<char, 2>>();
  launcher<V<char, 3>>();
}
