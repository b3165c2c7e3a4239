// [class.dtor] a deleter that launches, in std::unique_ptr and shared_ptr
#include <memory>
template <class T, int N> __global__ void k() {}
template <class T> struct DeviceDelete { void operator()(T *) const { k<T, 1><<<1, 1>>>(); } };
template <class T> using device_ptr = std::unique_ptr<T, DeviceDelete<T>>;
template <class T> device_ptr<T> alloc() { return device_ptr<T>(nullptr); }
int main() {
  auto p = alloc<float>();
  std::shared_ptr<int> s(new int, DeviceDelete<int>());
}
