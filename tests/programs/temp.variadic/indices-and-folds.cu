// [temp.variadic] nested expansions, folds over the comma and over &&
template <class T, int N> __global__ void k() {}
template <int... I> struct Seq {};
template <class T, int N> bool one() { k<T, N><<<1, 1>>>(); return true; }
template <class... T, int... I> void all(Seq<I...>) { (void)(one<T, I>() && ...); }
template <class T, int... I> void grid(Seq<I...>) { (one<T, I * 10>(), ...); }
template <class... T> void cross() { (grid<T>(Seq<1, 2>{}), ...); }
int main() {
  all<int, float>(Seq<3, 4>{});
  cross<char, double>();
}
