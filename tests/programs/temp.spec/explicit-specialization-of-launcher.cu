// [temp.spec] full specializations of a function template replace its body
template <class T, int N> __global__ void k() {}
template <class T> void softmax(T *, int) { k<T, 0><<<1, 1>>>(); }
template <> void softmax<float>(float *, int) { k<float, 1><<<1, 1>>>(); }
template <> void softmax(double *, int) { k<double, 2><<<1, 1>>>(); }
template <class T, bool F> void norm_of() { k<T, F><<<1, 1>>>(); }
template <> void norm_of<int, true>() { k<int, 100><<<1, 1>>>(); }
int main() {
  softmax((int *)nullptr, 1);
  norm_of<int, false>();
}
