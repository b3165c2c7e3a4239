// [temp.deduct] an expression in the immediate context fails by the operand of a cast too, to void or to another type
template <int Number, class T, bool Holds>
__global__ void query() {}

template <class...>
struct to_void {
  using type = void;
};
template <class... T>
using void_t = typename to_void<T...>::type;
template <class T>
T &&declval();

template <class T, class = void>
inline constexpr bool destroys = false;
template <class T>
inline constexpr bool destroys<T, void_t<decltype((void)declval<T>().destroy(declval<int *>()))>> = true;

template <class, class T, class... A>
inline constexpr bool constructs = false;
template <class T, class... A>
inline constexpr bool constructs<decltype((void)declval<T>().construct(declval<A>()...)), T, A...> = true;

template <class T, class = void>
struct counts {
  static constexpr bool value = false;
};
template <class T>
struct counts<T, void_t<decltype(static_cast<unsigned long>(declval<T>().size()))>> {
  static constexpr bool value = true;
};
template <class T, class = void>
struct refers {
  static constexpr bool value = false;
};
template <class T>
struct refers<T, void_t<decltype(static_cast<const int *>(declval<T>().data))>> {
  static constexpr bool value = true;
};

struct Full {
  int *data;
  void destroy(int *);
  void construct(int *, int);
  int size() const;
};
struct Empty {};

template <class T>
void all() {
  query<1, T, destroys<T>><<<1, 1>>>();
  query<2, T, constructs<void, T, int *, int>><<<1, 1>>>();
  query<3, T, constructs<void, T, int>><<<1, 1>>>();
  query<4, T, counts<T>::value><<<1, 1>>>();
  query<5, T, refers<T>::value><<<1, 1>>>();
}

void launch() {
  all<Full>();
  all<Empty>();
}
