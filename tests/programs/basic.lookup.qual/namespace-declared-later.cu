// [basic.lookup.qual] a namespace of the same name that an inner namespace gets later hides nothing before
template <class T, int N> __global__ void k() {}
namespace library {
namespace detail {
template <class T> struct Policy { T n; };
struct Plain { short s; };
template <class T> void run() { k<T, sizeof(T)><<<1, 1>>>(); }
namespace inner { struct Deep { char c[3]; }; }
}
namespace device {
struct Tag : detail::Policy<int> {};
struct Holder { detail::Plain p; detail::inner::Deep d; };
inline void go() { detail::run<char>(); }
template <class T> void all() {
  detail::run<T>();
  k<detail::Policy<T>, 40><<<1, 1>>>();
}
}
namespace device { namespace detail { struct Late { double d; }; namespace inner { struct Later {}; } } }
}
int main() {
  library::device::go();
  library::device::all<double>();
  k<float, sizeof(library::device::Tag)><<<1, 1>>>();
  k<float, sizeof(library::device::Holder)><<<1, 1>>>();
  k<library::device::detail::Late, 50><<<1, 1>>>();
}
