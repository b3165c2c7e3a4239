// [meta.rel] whether a type is implicitly converted to a class: by its constructors that are not explicit, nor deleted
#include <type_traits>
template <int Number, bool Holds>
__global__ void query() {}

template <class To>
struct Takes {
  Takes(To);
};
template <class From, class To>
using converts = std::is_constructible<Takes<To>, From>;

struct FromInt {
  FromInt(int);
};
struct Explicit {
  explicit Explicit(int);
};
struct Constrained {
  template <class T, std::enable_if_t<std::is_same<T, float>::value, int> = 0>
  Constrained(T);
};
struct FromPointer {
  FromPointer(int *);
  FromPointer(decltype(nullptr)) = delete;
};
struct Other {};
struct Copied {
  Copied(const Copied &);
  Copied(long);
};

void launch() {
  query<1, converts<int, FromInt>::value><<<1, 1>>>();
  query<2, converts<float, FromInt>::value><<<1, 1>>>();
  query<3, converts<int, Explicit>::value><<<1, 1>>>();
  query<4, converts<int, Constrained>::value><<<1, 1>>>();
  query<5, converts<float, Constrained>::value><<<1, 1>>>();
  query<6, converts<Other, FromInt>::value><<<1, 1>>>();
  query<8, converts<int *, FromPointer>::value><<<1, 1>>>();
  query<9, converts<float *, FromPointer>::value><<<1, 1>>>();
  query<10, converts<decltype(nullptr), FromPointer>::value><<<1, 1>>>();
  query<11, converts<Other, FromPointer>::value><<<1, 1>>>();
  query<12, converts<Other, Copied>::value><<<1, 1>>>();
  query<13, converts<int, Copied>::value><<<1, 1>>>();
  query<14, converts<Copied, Copied>::value><<<1, 1>>>();
  query<15, converts<const Other &, Other>::value><<<1, 1>>>();
}
