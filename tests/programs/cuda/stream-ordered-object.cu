// [cuda] an object owns a stream and enqueues through member templates and functors
#include <utility>
template <class F, class... A> __global__ void run(F f, A... a) {}
template <class T> __global__ void set(T *p, T v, int n) {}
struct Square { __device__ void operator()(float *p, int n) const {} };
class Queue {
  cudaStream_t stream_ = nullptr;
public:
  template <class F, class... A> Queue &submit(F f, A &&...a) {
    run<F, std::decay_t<A>...><<<1, 1, 0, stream_>>>(f, std::forward<A>(a)...);
    return *this;
  }
  template <class T> Queue &fill(T *p, int n, T v = T()) { set<<<1, 1, 0, stream_>>>(p, v, n); return *this; }
};
int main() {
  float *p = nullptr;
  const int n = 4;
  Queue().submit(Square{}, p, n).fill(p, n).fill((char *)nullptr, 2, 'x').submit(Square{});
}
