// [meta.unary.prop] whether an object can be initialized with arguments, and with none
#include <type_traits>
#include <utility>

template <int Number, bool Holds>
__global__ void query() {}

struct FromInt {
  FromInt(int);
};
struct Explicit {
  explicit Explicit(int, float = 0);
};
struct Deleted {
  Deleted() = delete;
  Deleted(long) = delete;
  Deleted(const char *);
};
struct Aggregate {
  int a, b;
};
struct Reference {
  int &r;
};
struct Around {
  FromInt part;
};
template <class T>
struct Wrapper {
  template <class U, std::enable_if_t<std::is_convertible<U, T>::value, int> = 0>
  Wrapper(U &&);
};

template <class T>
auto made(int) -> decltype(::new T, char());
template <class T>
int made(...);

void launch() {
  query<1, std::is_constructible<FromInt, int>::value><<<1, 1>>>();
  query<2, std::is_constructible<FromInt>::value><<<1, 1>>>();
  query<3, std::is_constructible<FromInt, int *>::value><<<1, 1>>>();
  query<4, std::is_constructible<Explicit, int>::value><<<1, 1>>>();
  query<5, std::is_constructible<Explicit, int, float, int>::value><<<1, 1>>>();
  query<6, std::is_constructible<Deleted>::value><<<1, 1>>>();
  query<7, std::is_constructible<Deleted, long>::value><<<1, 1>>>();
  query<8, std::is_constructible<Deleted, const char *>::value><<<1, 1>>>();
  query<9, std::is_constructible<Aggregate>::value><<<1, 1>>>();
  query<10, std::is_constructible<Aggregate, int, int>::value><<<1, 1>>>();
  query<11, std::is_constructible<Aggregate, const Aggregate &>::value><<<1, 1>>>();
  query<12, std::is_constructible<Reference>::value><<<1, 1>>>();
  query<13, std::is_constructible<Around>::value><<<1, 1>>>();
  query<14, std::is_constructible<Wrapper<float>, int>::value><<<1, 1>>>();
  query<15, std::is_constructible<Wrapper<float>, int *>::value><<<1, 1>>>();
  query<16, sizeof(made<FromInt>(0)) == 1><<<1, 1>>>();
  query<17, sizeof(made<Aggregate>(0)) == 1><<<1, 1>>>();
  query<18, sizeof(made<Wrapper<int>>(0)) == 1><<<1, 1>>>();
}
