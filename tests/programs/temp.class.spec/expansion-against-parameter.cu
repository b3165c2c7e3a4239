// [temp.class.order] a list that is a pack expansion is more specialized than a parameter, and less than a list with an element before it
template <class T, int N> __global__ void k() {}
template <class First, class... Rest> struct Traits;
struct Load {};
struct Store {};
template <> struct Traits<Load> { using value = float; };
template <class Bits> struct Traits<Store, Bits> { using value = double; };
template <class... Args> struct Atom;
template <class Op, class T> struct Atom<Op, T> : Atom<Traits<Op>, T> { static constexpr int way = 1; };
template <class... Args, class T> struct Atom<Traits<Args...>, T> : Traits<Args...> { static constexpr int way = 2; };
template <class T> struct Shape { static constexpr int n = 0; };
template <class... T> struct Shape<Atom<T...>> { static constexpr int n = 1; };
template <class U, class... T> struct Shape<Atom<Traits<Store, U>, T...>> { static constexpr int n = 2; };
template <class A> void launch() { k<typename A::value, A::way><<<1, 1>>>(); }
int main() {
  launch<Atom<Load, int>>();
  launch<Atom<Traits<Load>, int>>();
  launch<Atom<Traits<Store, char>, int>>();
  k<char, Shape<int>::n><<<1, 1>>>();
  k<char, Shape<Atom<Load, int>>::n + 10><<<1, 1>>>();
  k<char, Shape<Atom<Traits<Store, long>, int>>::n + 20><<<1, 1>>>();
}
