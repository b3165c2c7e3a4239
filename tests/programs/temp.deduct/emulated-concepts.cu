// [temp.deduct] concepts as C++17 emulates them: expression lists under decltype in trailing return types
template <int Number, class T, bool Holds>
__global__ void query() {}

template <bool>
struct chosen {};
template <>
struct chosen<true> {
  template <class T>
  using type = T;
};
template <bool Condition, class T = void>
using enable = typename chosen<Condition>::template type<T>;
template <class...>
struct tag;
template <bool Condition, enable<Condition, int> = 0>
inline constexpr int required = 0;
template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

#define CONCEPT(name, parameters, ...)                                                                       \
  template <class I>                                                                                         \
  __host__ __device__ auto name##_test parameters->enable<!(decltype(void(), __VA_ARGS__, void(), false){})> \
  {}                                                                                                         \
  template <class... A>                                                                                      \
  __host__ __device__ char name##_fits(::tag<A...> *, decltype(&name##_test<A...>));                         \
  __host__ __device__ char(&name##_fits(...))[2];                                                            \
  template <class I>                                                                                         \
  inline constexpr bool name = (1u == sizeof(name##_fits(static_cast<::tag<I> *>(nullptr), nullptr)));

CONCEPT(no_bool, (I i), ::required<!same<I, bool>>)
CONCEPT(incrementable, (I i), ::required<same<I &, decltype(++i)>>, void(), (i++))
CONCEPT(dereferenced, (I i), static_cast<::tag<decltype(*i)> *>(nullptr), void(), ::required<same<I &, decltype(i += 1)>>)
CONCEPT(both, (), ::required<no_bool<I>>, void(), ::required<dereferenced<I>>)

template <class T>
void all() {
  query<1, T, no_bool<T>><<<1, 1>>>();
  query<2, T, incrementable<T>><<<1, 1>>>();
  query<3, T, dereferenced<T>><<<1, 1>>>();
  query<4, T, both<T>><<<1, 1>>>();
}

struct Plain {};

void launch() {
  all<unsigned *>();
  all<int>();
  all<Plain>();
}
