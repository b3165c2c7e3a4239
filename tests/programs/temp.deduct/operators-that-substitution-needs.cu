// [temp.deduct] operators that are neither overloaded nor built in for their operands make substitution fail
template <int N, bool V> __global__ void k() {}
template <class T> T &&value();
struct None { };
struct All {
  All &operator++();
  All operator+(All) const;
  bool operator==(All) const;
  int operator[](int);
  int operator*();
  void operator()(int);
  bool operator!() const;
};
struct Number { operator int() const; };
struct Derived : All { };
enum class Scoped { a };
#define DETECT(name, ...) \
  template <class T> auto name##_of(int) -> decltype(__VA_ARGS__, char()); \
  template <class T> long name##_of(...); \
  template <class T> constexpr bool name = sizeof(name##_of<T>(0)) == 1;
DETECT(increments, ++value<T &>())
DETECT(adds, value<T>() + value<T>())
DETECT(equal, value<T>() == value<T>())
DETECT(counts, value<T>()[0])
DETECT(points, *value<T>())
DETECT(calls, value<T>()(1))
DETECT(negates, -value<T>())
DETECT(inverts, !value<T>())
DETECT(complements, ~value<T>())
DETECT(less, value<T>() < value<T>())
DETECT(adds_one, value<T>() + 1)
#define EACH(name, n) \
  k<n, name<None>><<<1, 1>>>(); \
  k<n + 1, name<All>><<<1, 1>>>(); \
  k<n + 2, name<Number>><<<1, 1>>>(); \
  k<n + 3, name<Derived>><<<1, 1>>>(); \
  k<n + 4, name<int>><<<1, 1>>>(); \
  k<n + 5, name<int *>><<<1, 1>>>(); \
  k<n + 6, name<Scoped>><<<1, 1>>>(); \
  k<n + 7, name<float>><<<1, 1>>>();
int main() {
  EACH(increments, 10)
  EACH(adds, 20)
  EACH(equal, 30)
  EACH(counts, 40)
  EACH(points, 50)
  EACH(calls, 60)
  EACH(negates, 70)
  EACH(inverts, 80)
  EACH(complements, 90)
  EACH(less, 100)
  EACH(adds_one, 110)
}
