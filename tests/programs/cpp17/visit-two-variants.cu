// [cpp17] std::visit over two variants instantiates every pair
#include <variant>
template <class T, int N> __global__ void k() {}
template <int N> struct Int { static constexpr int value = N; };
struct F32 { using type = float; };
struct F64 { using type = double; };
std::variant<F32, F64> type_of(int n);
std::variant<Int<1>, Int<2>> size_of(int n);
int main(int argc, char **) {
  auto launch = [](auto t, auto n) { k<typename decltype(t)::type, decltype(n)::value><<<1, 1>>>(); };
  std::visit(launch, type_of(argc), size_of(argc));
}
