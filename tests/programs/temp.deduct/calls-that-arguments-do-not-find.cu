// [temp.deduct] substitution fails where a call finds no function, by its arguments neither
template <class T, int N> __global__ void k() {}
template <int N> struct Rank : Rank<N - 1> {};
template <> struct Rank<0> {};
template <class T> auto chosen(Rank<1>, T t) -> decltype(describe(t), void()) { k<T, 1><<<1, 1>>>(); }
template <class T> void chosen(Rank<0>, T) { k<T, 2><<<1, 1>>>(); }
template <class T, class = void> struct Has { static constexpr int value = 3; };
template <class T> struct Has<T, decltype(measure(*static_cast<T *>(nullptr)), void())> { static constexpr int value = 4; };
namespace lib {
struct Own {};
void describe(Own);
void measure(Own);
template <class T> struct Box {};
template <class T> int describe(Box<T>);
}
struct Other {};
int main() {
  chosen(Rank<1>{}, lib::Own());
  chosen(Rank<1>{}, lib::Box<int>());
  chosen(Rank<1>{}, Other());
  chosen(Rank<1>{}, 1);
  k<lib::Own, Has<lib::Own>::value><<<1, 1>>>();
  k<Other, Has<Other>::value><<<1, 1>>>();
  k<float, Has<float>::value><<<1, 1>>>();
}
