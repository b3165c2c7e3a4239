// [temp.deduct.call]/4.3 of several base classes that are specializations of one template deduction takes the one that fits
template <int N> __global__ void k() {}
template <int I, class T> struct head { T v; constexpr head(T const &t) : v(t) {} static constexpr T const &m(head const &h) { return h.v; } };
template <int I, class... T> struct impl;
template <int I, class H, class... T> struct impl<I, H, T...> : impl<I + 1, T...>, head<I, H> {
  typedef impl<I + 1, T...> inherited; typedef head<I, H> base;
  static constexpr const H &mh(const impl &t) { return base::m(t); }
  constexpr impl(H const &h, T const &...t) : inherited(t...), base(h) {} };
template <int I, class H> struct impl<I, H> : head<I, H> { typedef head<I, H> base; static constexpr const H &mh(const impl &t) { return base::m(t); } constexpr impl(H const &h) : base(h) {} };
template <class... T> struct tup : impl<0, T...> { constexpr tup(T const &...t) : impl<0, T...>(t...) {} };
template <int I, class H, class... T> constexpr const H &gh(const impl<I, H, T...> &t) { return impl<I, H, T...>::mh(t); }
template <int I, class... T> constexpr auto get(const tup<T...> &t) { return gh<I>(t); }
constexpr tup<int, int, int> p{5, 6, 7};
constexpr head<1, int> h{8};
int main() {
  k<head<1, int>::m(h)><<<1,1>>>();
  k<gh<0>(p)><<<1,1>>>();
  k<gh<1>(p)><<<1,1>>>();
  k<gh<2>(p)><<<1,1>>>();
  k<100+get<0>(p)><<<1,1>>>();
  k<100+get<1>(p)><<<1,1>>>();
  k<100+get<2>(p)><<<1,1>>>();
  k<impl<2, int>::mh(p)><<<1,1>>>();
}
