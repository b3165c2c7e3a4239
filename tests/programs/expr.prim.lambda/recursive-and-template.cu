// [expr.prim.lambda] lambdas with template parameters, and one that calls itself
// std: c++20
template <class T, int N> __global__ void k() {}
int main() {
  auto by_type = []<class T>(T *) { k<T, 1><<<1, 1>>>(); };
  float *f = nullptr;
  by_type(f);
  auto by_value = []<int N>() { k<int, N><<<1, 1>>>(); };
  by_value.template operator()<3>();
  auto down = [](auto self, auto n) -> void {
    k<decltype(n), 7><<<1, 1>>>();
    if constexpr (sizeof(n) > 1) { if constexpr (sizeof(n) == 4) self(self, short(n)); else self(self, char(n)); }
  };
  down(down, 1);
}
