// [temp.deduct] a member type that only some arguments have
template <class T, int N> __global__ void k() {}
struct Complex { using real_type = float; };
template <class T> void norm_of(T, typename T::real_type *) { k<typename T::real_type, 1><<<1, 1>>>(); }
template <class T> void norm_of(T, ...) { k<T, 2><<<1, 1>>>(); }
template <class T, class R = typename T::real_type> int probe(int) { k<R, 3><<<1, 1>>>(); return 0; }
template <class T> int probe(long) { k<T, 4><<<1, 1>>>(); return 0; }
int main() {
  norm_of(Complex{}, nullptr);
  norm_of(3, nullptr);
  probe<Complex>(0);
  probe<double>(0);
}
