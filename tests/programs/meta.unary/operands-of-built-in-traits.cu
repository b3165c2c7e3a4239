// [meta.unary] built-in type traits with operands that no expression is: fundamental types, references, pointers, arrays
template <class T, int N> __global__ void k() {}
template <bool B> struct Constant { static constexpr bool value = B; };
struct Plain { int a; };
struct Copied { Copied(Copied const &); Copied(Copied &&) = default; Copied &operator=(Copied const &); Copied &operator=(Copied &&) = default; };
struct FromInt { FromInt(int); };
template <class T> struct IsCopied : Constant<__is_trivially_constructible(T, T const &)> {};
template <class T> struct IsMoved : Constant<__is_trivially_constructible(T, T &&)> {};
template <class T> struct IsAssigned : Constant<__is_trivially_assignable(T &, const T &)> {};
template <class T, class... A> struct Makes : Constant<__is_constructible(T, A &&...)> {};
template <class T> constexpr bool is_int = __is_same(T, int) || __is_same(const T *, unsigned long const *);
template <class T, bool = __is_empty(T) && !__is_final(T)> struct Base { static constexpr int value = 1; };
template <class T> struct Base<T, true> { static constexpr int value = 2; };
struct Empty {};
struct Final final {};
template <class T> constexpr int chosen() {
  if constexpr (__is_same(T, float [2])) return 1;
  else if constexpr (not __is_class(T)) return 2;
  return __is_constructible(T, int) + 3;
}
void go() {
  k<char, IsCopied<Plain>::value + 10 * IsCopied<Copied>::value + 100 * IsMoved<Copied>::value + 1000 * IsAssigned<Copied>::value><<<1, 1>>>();
  k<short, Makes<FromInt, int>::value + 10 * Makes<FromInt, char *>::value + 100 * Makes<Plain>::value + 1000 * Makes<int, double, int>::value><<<1, 1>>>();
  k<int, is_int<int> + 10 * is_int<char> + 100 * is_int<unsigned long>><<<1, 1>>>();
  k<long, Base<Empty>::value + 10 * Base<Final>::value + 100 * Base<int>::value><<<1, 1>>>();
  k<float, chosen<float [2]>() + 10 * chosen<double>() + 100 * chosen<FromInt>() + 1000 * chosen<Empty>()><<<1, 1>>>();
  k<double, __is_constructible(FromInt, int)><<<1, 1>>>();
  k<unsigned, 1 + __is_same(int *, int *) + 10 * __is_same(void(int), void(int))><<<1, 1>>>();
  k<decltype(__is_enum(int)), __is_base_of(Empty, Empty) + 10 * __is_convertible_to(int, FromInt) + 100 * __is_same(Constant<true>, Constant<__is_class(Plain)>)><<<1, 1>>>();
}
