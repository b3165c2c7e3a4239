// [dcl.type.cv] cv-qualifiers and constexpr behind the words of a fundamental type
template <class T, int N> __global__ void k() {}
template <class T> struct Is { static constexpr int value = 1; };
template <class T> struct Is<T const> { static constexpr int value = 2; };
template <class T> struct Is<T volatile> { static constexpr int value = 3; };
template <class T> struct Is<T const volatile> { static constexpr int value = 4; };
template <class T> void go(T) { k<T, 0><<<1, 1>>>(); }
template <class T> void to(T &) { k<T, 1><<<1, 1>>>(); }
unsigned constexpr first = 4;
long const second = 5;
static unsigned long constexpr third = 6;
volatile short const fourth = 7;
struct Numbers {
  static unsigned constexpr first = 7;
  static short const second = 8;
  constexpr unsigned long static third = 9;
  long long const *member;
};
unsigned constexpr made() { return 12; }
unsigned long const &lent() { return third; }
using Alias = unsigned const;
void f(unsigned long const *p, unsigned const q[], long volatile const &r, short const *s, Numbers n) {
  go(p);
  go(q);
  go(&r);
  go(s);
  go(n.member);
  to(r);
  to(fourth);
  to(lent());
  short const local = 10;
  unsigned const int other = 11;
  k<char, first><<<1, 1>>>();
  k<char, second><<<1, 1>>>();
  k<char, third><<<1, 1>>>();
  k<char, Numbers::first><<<1, 1>>>();
  k<char, Numbers::second><<<1, 1>>>();
  k<char, Numbers::third><<<1, 1>>>();
  k<char, local><<<1, 1>>>();
  k<char, other><<<1, 1>>>();
  k<decltype(made()), made()><<<1, 1>>>();
  k<unsigned const long, 13><<<1, 1>>>();
  k<Alias *, 14><<<1, 1>>>();
  k<int, Is<unsigned>::value + 10 * Is<unsigned const>::value + 100 * Is<long volatile>::value + 1000 * Is<short const volatile>::value + 10000 * Is<Alias>::value><<<1, 1>>>();
  k<long const *(*)(unsigned const &, short volatile *), 15><<<1, 1>>>();
}
