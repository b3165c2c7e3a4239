// [temp.spec.partial.match] tuple<T...> of one namespace is no tuple<T...> of another
template <int N> __global__ void k() {}
namespace a { template <class... T> struct tuple { }; }
namespace b { template <class... T> struct tuple { }; }
template <class T> struct size;
template <class... T> struct size<a::tuple<T...>> { static constexpr int value = sizeof...(T); };
template <class... T> struct size<b::tuple<T...>> { static constexpr int value = 10 + sizeof...(T); };
int main() {
  k<size<a::tuple<int, int>>::value><<<1, 1>>>();
  k<size<b::tuple<int, int, int>>::value><<<1, 1>>>();
}
