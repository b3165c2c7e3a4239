// [cpp17] inline constexpr objects of templates used as arguments and callables
template <class T, int N> __global__ void k() {}
template <int N> struct int_t { static constexpr int value = N; constexpr operator int() const { return N; } };
template <int N> inline constexpr int_t<N> int_c{};
struct Launcher { template <int N> void operator()(int_t<N>) const { k<Launcher, N><<<1, 1>>>(); } };
inline constexpr Launcher launch{};
int main() {
  launch(int_c<5>);
  k<decltype(int_c<2>), int_c<6>><<<1, 1>>>();
  k<int, int_c<3> + int_c<4>><<<1, 1>>>();
}
