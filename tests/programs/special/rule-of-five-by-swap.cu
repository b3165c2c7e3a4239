// [special] copy-and-swap with a friend swap and a move constructor that delegates
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T> class Buffer {
  T *p = nullptr;
public:
  Buffer() { k<T, 1><<<1, 1>>>(); }
  Buffer(const Buffer &) { k<T, 2><<<1, 1>>>(); }
  Buffer(Buffer &&other) noexcept : Buffer() { swap(*this, other); }
  Buffer &operator=(Buffer other) { swap(*this, other); return *this; }
  friend void swap(Buffer &a, Buffer &b) { k<T, 3><<<1, 1>>>(); std::swap(a.p, b.p); }
};
int main() {
  Buffer<float> a, b;
  a = std::move(b);
  Buffer<int> c;
  c = c;
}
