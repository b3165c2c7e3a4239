// [temp.deduct.partial] partial ordering: T against T* against const T*
template <class T, int N> __global__ void k() {}
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
template <class T> void go(T *) { k<T, 2><<<1, 1>>>(); }
template <class T> void go(const T *) { k<T, 3><<<1, 1>>>(); }
template <class T> void go(T **) { k<T, 4><<<1, 1>>>(); }
int main() {
  go(1);
  go((int *)nullptr);
  go((const int *)nullptr);
  go((float **)nullptr);
  go((const double **)nullptr);
}
