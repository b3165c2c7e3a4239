// [cpp17] std::optional's value, value_or and map-like use
#include <optional>
template <class T> __global__ void k() {}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
std::optional<float> scale();
std::optional<int *> pointer();
int main() {
  if (auto s = scale()) go(*s);
  go(pointer().value());
  go(scale().value_or(1.0f));
  std::optional o{short(1)};
  if (o.has_value()) go(o.value());
}
