// [except.spec] exception specifications of function types whose condition depends on template parameters
template <int, bool...> __global__ void b() {}
template <class T, bool N = true> using function_t = T (*)() noexcept(N);
template <class T, class = void> extern function_t<void> value_of;
template <class...> using void_t = void;
template <class T> extern function_t<T &&> value_of<T, void_t<T &&>>;
template <class T> constexpr bool is_destroyed = noexcept(value_of<T>().~T());
template <class T> struct is_plain { static constexpr bool value = false; };
template <class R, class... A> struct is_plain<R(A...)> { static constexpr bool value = true; };
template <class T> struct throws { static constexpr int value = 2; };
template <class R, class... A, bool N> struct throws<R (*)(A...) noexcept(N)> { static constexpr int value = N; };
struct X { int a; };
struct Y { ~Y() noexcept(false); };
int f(int) noexcept;
int g(int);
template <class R, class A, bool N> void pass(R (*)(A) noexcept(N)) { b<10 + N><<<1, 1>>>(); }
void h() {
  b<1, noexcept(value_of<int>()), is_destroyed<int>, is_destroyed<X>, is_destroyed<Y>><<<1, 1>>>();
  b<2, is_plain<int(char)>::value, is_plain<int>::value><<<1, 1>>>();
  b<3 + throws<decltype(&f)>::value><<<1, 1>>>();
  b<6 + throws<decltype(&g)>::value><<<1, 1>>>();
  b<20 + throws<function_t<int, sizeof(int) == 4>>::value><<<1, 1>>>();
  b<30 + throws<function_t<int, sizeof(int) == 8>>::value><<<1, 1>>>();
  pass(f);
  pass(g);
}
