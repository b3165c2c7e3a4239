// [temp.func.order] a pack of template-ids before a pack of types, where all elements match
template <class T, int N> __global__ void k() {}
template <class... T> struct P {};
template <int N> struct Int {};
template <int... N> void go(P<Int<N>...>) { k<int, (N + ... + 0)><<<1, 1>>>(); }
template <class... T> void go(P<T...>) { k<P<T...>, -1><<<1, 1>>>(); }
template <class T> struct Vec { static void go() { k<T, 7><<<1, 1>>>(); } };
template <class... T> void all(P<Vec<T>...>) { (Vec<T>::go(), ...); }
int main() {
  go(P<Int<4>, Int<5>>());
  go(P<Int<4>, float>());
  all(P<Vec<char>, Vec<short>>());
}
