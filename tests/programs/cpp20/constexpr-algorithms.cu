// [cpp20] constexpr std algorithms and std::span bounds as constants
// std: c++20
#include <algorithm>
#include <array>
template <int A> __global__ void k() {}
constexpr std::array<int, 5> values{3, 1, 4, 1, 5};
constexpr int largest() { return *std::max_element(values.begin(), values.end()); }
constexpr std::array<int, 5> sorted() { auto v = values; std::sort(v.begin(), v.end()); return v; }
int main() {
  k<largest()><<<1, 1>>>();
  k<sorted()[2] * 10><<<1, 1>>>();
  k<std::max(7, 9)><<<1, 1>>>();
  k<int(std::count(values.begin(), values.end(), 1)) + 100><<<1, 1>>>();
}
