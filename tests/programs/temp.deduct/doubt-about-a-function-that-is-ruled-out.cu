// [temp.deduct] what can not be told of a function that is ruled out leaves nothing open
template <int Number, bool Valid>
__global__ void query() {}

template <bool B>
struct constant {
  static constexpr bool value = B;
};
using yes = constant<true>;
using no = constant<false>;
template <bool, class T = void>
struct conditional_type {};
template <class T>
struct conditional_type<true, T> {
  using type = T;
};
template <bool B>
using enable = typename conditional_type<B>::type;
template <class A, class B>
struct same : no {};
template <class A>
struct same<A, A> : yes {};

template <template <class...> class Template, class... A, class = Template<A...>>
yes expands(int);
template <template <class...> class, class...>
no expands(...);
template <template <class...> class Template, class... A>
using is_valid = decltype(expands<Template, A...>(0));

template <class I, class = void>
struct traits {
  using primary = traits;
};
template <class T>
struct traits<T *> {};
template <class Traits>
using is_primary_test = enable<same<Traits, typename Traits::primary>::value>;
template <class I>
using is_primary = is_valid<is_primary_test, traits<I>>;

template <class T>
struct size : constant<(sizeof(T) > 4)> {};

struct Plain {};

void launch() {
  query<1, is_primary<int *>::value><<<1, 1>>>();
  query<2, is_primary<Plain>::value><<<1, 1>>>();
  query<3, size<int *>::value><<<1, 1>>>();
}
