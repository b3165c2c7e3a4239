// [namespace.udir] what a using-directive nominates stands in the nearest namespace around both, behind nearer names
template <int N> __global__ void k() {}
namespace lib { template <int N> void layout() { k<N + 100><<<1, 1>>>(); } inline int rank() { return 3; } struct tag { static constexpr int value = 7; }; }
namespace app {
namespace layout { struct rows { static constexpr int value = 1; }; struct columns { static constexpr int value = 2; }; }
struct tag { static constexpr int value = 8; };
namespace detail {
using namespace lib;
template <class T> struct map { static constexpr int value = 0; };
template <> struct map<layout::rows> { static constexpr int value = 11; };
template <> struct map<layout::columns> { static constexpr int value = 12; };
template <class T> void go() { k<map<T>::value><<<1, 1>>>(); k<tag::value><<<1, 1>>>(); }
}
}
int main() {
  app::detail::go<app::layout::rows>();
  app::detail::go<app::layout::columns>();
}
