// [temp.inst] variable templates that hold lambdas or objects and are called
template <class T, int N> __global__ void k(T) {}
template <class T> inline auto lambda = [](T x) { k<T, 1><<<1, 1>>>(x); };
template <class T> constexpr auto generic = [](auto x) { k<decltype(x), sizeof(T)><<<1, 1>>>(x); };
template <class T> struct Functor { void operator()() const { k<T, 3><<<1, 1>>>({}); } template <int N> void go() const { k<T, N><<<1, 1>>>({}); } };
struct Any { template <class U> void operator()(U x) const { k<U, 4><<<1, 1>>>(x); } };
template <class T> constexpr Functor<T> functor{};
template <class T> constexpr Any taking{};
struct Plain { template <class T> static constexpr Functor<T> functor{}; };
template <class T> void in_template() { functor<T>(); }
int main() {
  lambda<int>(1);
  generic<long>(1.f);
  functor<char>();
  functor<short>.go<7>();
  taking<int>(1.);
  Plain::functor<long>();
  in_template<bool>();
}
