// [temp.class.spec] a builder picks a specialization by tags and computed conditions, whose result is a type
#include <type_traits>
template <class K> __global__ void device_kernel(typename K::Params p) {}
struct Sm80 {}; struct Sm90 {}; struct Auto {};
template <int S> struct StageCount { static constexpr int value = S; };
template <class Arch, class T, class Schedule, class = void> struct Builder;
template <class T, class S> struct Builder<Sm80, T, S> {
  struct Op { struct Params { T *p; }; static constexpr int stages = 3; };
};
template <class T, class S> struct Builder<Sm90, T, S, std::enable_if_t<std::is_same_v<S, Auto>>> {
  struct Op { struct Params { T *p; }; static constexpr int stages = 128 / sizeof(T); };
};
template <class T, int N> struct Builder<Sm90, T, StageCount<N>> {
  struct Op { struct Params { T *p; int n; }; static constexpr int stages = N; };
};
template <class Op> struct Kernel {
  using Params = typename Op::Params;
  static constexpr int smem = Op::stages * 1024;
};
template <class Op> struct Adapter { static void run() { device_kernel<Kernel<Op>><<<1, 1, Kernel<Op>::smem>>>({}); } };
int main() {
  Adapter<Builder<Sm80, float, Auto>::Op>::run();
  Adapter<Builder<Sm90, short, Auto>::Op>::run();
  Adapter<Builder<Sm90, float, StageCount<5>>::Op>::run();
}
