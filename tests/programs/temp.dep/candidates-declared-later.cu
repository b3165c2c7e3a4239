// [temp.dep.candidate] functions that are declared after a template, which only their arguments find
namespace pol { template <class T> struct base {}; struct tag : base<tag> {}; }
namespace other { struct mine : pol::base<mine> {}; int select(mine &); }
template <class T> T &&declval() noexcept;
template <class...> using void_t = void;
namespace generic {
template <class, class... Ts> constexpr bool exists_impl = false;
template <class... Ts> constexpr bool exists_impl<void_t<decltype(select(declval<Ts &>()...))>, Ts...> = true;
template <class... Ts> constexpr bool exists = exists_impl<void, Ts...>;
template <class T, bool B = exists<T>> __global__ void k(T) {}
template <class T> int select(pol::base<T> &);
}
__global__ void by_int(int) {}
template <int N> __global__ void chosen() {}
constexpr int f(long) { return 1; }
template <class T> constexpr int g(T t) { return f(t); }
constexpr int f(int) { return 2; }
namespace a { struct S {}; constexpr int h(S) { return 1; } }
template <class T> constexpr int later(T t) { return h(t); }
namespace a { template <class T> constexpr int h(T) { return 2; } }
void launch() {
  generic::k<<<1, 1>>>(pol::tag{});
  generic::k<<<1, 1>>>(other::mine{});
  chosen<g(3)><<<1, 1>>>();
  chosen<10 + later(a::S{})><<<1, 1>>>();
}
