// [basic.scope.param] the parameters are in scope in all of a trailing return type
template <int Number, class T, bool Valid>
__global__ void query() {}

template <bool>
struct chosen {};
template <>
struct chosen<true> {
  template <class T>
  using type = T;
};
template <bool Condition, class T = char>
using enable = typename chosen<Condition>::template type<T>;
template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <class I>
auto increment(I i) -> enable<same<I &, decltype(++i)>>;
template <class... T>
int increment(T...);
template <class I>
auto dereference(I i) -> enable<(sizeof(*i) > 0)>;
template <class... T>
int dereference(T...);
template <class I>
auto advance(I &i) -> enable<!(decltype((i += 2), false){})>;
template <class... T>
int advance(T...);

template <class T>
struct Queries {
  static T &value();
  static void launch() {
    query<1, T, sizeof(increment(value())) == 1><<<1, 1>>>();
    query<2, T, sizeof(dereference(value())) == 1><<<1, 1>>>();
    query<3, T, sizeof(advance(value())) == 1><<<1, 1>>>();
  }
};

struct Plain {};

void launch() {
  Queries<unsigned *>::launch();
  Queries<int>::launch();
  Queries<Plain>::launch();
}
