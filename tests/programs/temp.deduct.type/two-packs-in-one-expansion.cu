// [temp.deduct.type] one expansion deduces a pack of types, a pack of values and a parameter that all elements share
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Pair {};
template <class... T> struct P {};
template <class... T, int... N> void both(P<Pair<T, N>...>) { (k<T, N><<<1, 1>>>(), ...); }
template <class T, int... N> void shared(P<Pair<T, N>...>) { k<T, (N * ... * 1)><<<1, 1>>>(); }
template <class... T, int... N> void swapped(P<Pair<T, N>...>, P<Pair<long, N>...>) { k<P<T...>, (N + ... + 50)><<<1, 1>>>(); }
int main() {
  both(P<Pair<int, 3>, Pair<float, 4>>());
  shared(P<Pair<double, 5>, Pair<double, 6>>());
  swapped(P<Pair<char, 1>, Pair<short, 2>>(), P<Pair<long, 1>, Pair<long, 2>>());
}
