// [temp.alias] an own void_t by an alias and by a class
template <class T, int N> __global__ void k() {}
template <class...> using void_t = void;
template <class... T> struct make_void { using type = void; };
template <class T, class = void> struct Vec { static constexpr int width = 1; };
template <class T> struct Vec<T, void_t<typename T::vec4>> { static constexpr int width = 4; };
template <class T, class = void> struct Red { static constexpr int width = 1; };
template <class T> struct Red<T, typename make_void<decltype(T::warp)>::type> { static constexpr int width = T::warp; };
struct A { using vec4 = int; static constexpr int warp = 32; };
struct B {};
template <class T> void go() { k<T, Vec<T>::width * 100 + Red<T>::width><<<1, 1>>>(); }
int main() {
  go<A>();
  go<B>();
}
