// [cuda] launches and calls inside of checking macros, statement expressions and loops
template <class T, int N> __global__ void k(T *p) {}
#define CHECK(X) do { cudaError_t e_ = (X); if (e_ != cudaSuccess) fail(#X, e_); } while (0)
#define LAUNCH(KERNEL, ...) do { KERNEL<<<1, 1>>>(__VA_ARGS__); CHECK(cudaGetLastError()); } while (0)
#define COMMA ,
#define UNPAREN(...) __VA_ARGS__
#define RUN(K, ...) UNPAREN K<<<1, 1>>>(__VA_ARGS__)
template <class T> void fail(const char *, T) { k<T, 9><<<1, 1>>>(nullptr); }
template <class T> cudaError_t async(T *p) { k<T, 1><<<1, 1>>>(p); return cudaPeekAtLastError(); }
int main() {
  CHECK(async((float *)nullptr));
  LAUNCH((k<int, 2>), nullptr);
  LAUNCH(k<double COMMA 3>, nullptr);
  RUN((k<char, 4>), nullptr);
}
