// [dcl.struct.bind] tuple-like classes bound by their get
template <class T> __global__ void k() {}
namespace std { template <class T> struct tuple_size; template <decltype(sizeof(0)) I, class T> struct tuple_element; }
struct Three { int a; double b; };
template <decltype(sizeof(0)) I> auto get(const Three &t) { if constexpr (I == 0) return t.a; else return t.b; }
namespace std {
template <> struct tuple_size<Three> { static constexpr decltype(sizeof(0)) value = 2; };
template <> struct tuple_element<0, Three> { using type = int; };
template <> struct tuple_element<1, Three> { using type = double; };
}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
int main() {
  auto [i, d] = Three{};
  go(i);
  go(d);
}
