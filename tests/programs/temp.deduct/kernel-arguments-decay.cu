// [temp.deduct] arguments of a launch deduce as those of a call do: arrays, functions, const, references
template <class T> __global__ void k(T v) {}
template <class T, class U> __global__ void two(const T *p, U v) {}
template <class T, int N> struct Fixed { T v[N]; };
template <class T, int N> __global__ void fixed(Fixed<T, N> f) {}
__device__ float op(float);
int main() {
  const int c = 1;
  int a[3];
  const double &r = 2.0;
  k<<<1, 1>>>(c);
  k<<<1, 1>>>(a);
  k<<<1, 1>>>(r);
  k<<<1, 1>>>(&c);
  two<<<1, 1>>>(a, 'c' + 1);
  two<<<1, 1>>>((const char *)"x", c ? 1.f : 2);
  fixed<<<1, 1>>>(Fixed<short, 4>{});
}
