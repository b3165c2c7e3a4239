// [special] trivial constructors and destructors as constants, and destructors called on scalars in SFINAE
template <class T, int N> __global__ void k() {}
struct Plain { int a; float b[2]; };
struct Destroyed { ~Destroyed(); };
struct Holds { Destroyed inner; };
struct Defaulted { Defaulted() = default; ~Defaulted() = default; int n; };
struct Virtual { virtual void f(); };
struct Initialized { int n = 3; };
struct Constructed { Constructed(); };
struct Deleted { ~Deleted() = delete; };
struct Derived : Plain { short s; };
enum class Color { red };
template <class T> T &&declared() noexcept;
template <class T> struct Destructible {
  template <class U> static char test(decltype(declared<U &>().~U()) *);
  template <class U> static int test(...);
  static constexpr bool value = sizeof(test<T>(nullptr)) == 1;
};
template <class T> void all() {
  k<T, __is_trivially_constructible(T)><<<1, 1>>>();
  k<T, 10 + __has_trivial_destructor(T)><<<1, 1>>>();
  k<T, 20 + Destructible<T>::value><<<1, 1>>>();
  k<T, 30 + __is_trivial(T)><<<1, 1>>>();
}
int main() {
  all<int>();
  all<float *>();
  all<Color>();
  all<Plain>();
  all<Destroyed>();
  all<Holds>();
  all<Defaulted>();
  all<Virtual>();
  all<Initialized>();
  all<Constructed>();
  all<Deleted>();
  all<Derived>();
  k<char, 40 + __is_trivially_constructible(Plain, Plain)><<<1, 1>>>();
  k<char, 50 + __is_trivially_constructible(Holds, Holds)><<<1, 1>>>();
}
