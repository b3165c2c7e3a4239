// [temp.spec] explicit specializations of the kernel template itself
template <class T> __global__ void init(T *p) {}
template <> __global__ void init<float>(float *p) {}
template <> __global__ void init(double *p) {}
template <class T, int N> __global__ void tile(T *p) {}
template <> __global__ void tile<int, 8>(int *p) {}
template <class T> void go() { init<T><<<1, 1>>>(nullptr); }
int main() {
  go<float>();
  go<char>();
  tile<int, 4><<<1, 1>>>(nullptr);
}
