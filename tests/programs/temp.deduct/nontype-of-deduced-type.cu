// [temp.deduct] a value parameter whose type is an earlier parameter
template <class T, T V> __global__ void k() {}
template <class T, T... V> struct Seq { static void go() { (k<T, V><<<1, 1>>>(), ...); } };
template <auto V> void any() { k<decltype(V), V><<<1, 1>>>(); }
template <class T, T A, T B> void sum(Seq<T, A, B>) { k<T, A + B><<<1, 1>>>(); }
int main() {
  Seq<short, 1, -2>::go();
  any<7u>();
  any<'a'>();
  any<true>();
  sum(Seq<long, 20, 22>{});
}
