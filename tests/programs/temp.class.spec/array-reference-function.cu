// [temp.class.spec] patterns of arrays, references, member pointers and const
template <class T, int N> __global__ void k() {}
template <class T> struct Kind { static constexpr int value = 0; };
template <class T> struct Kind<T[]> { static constexpr int value = 1; };
template <class T, int N> struct Kind<T[N]> { static constexpr int value = 100 + N; };
template <class T> struct Kind<T &> { static constexpr int value = 2; };
template <class T> struct Kind<T &&> { static constexpr int value = 3; };
template <class T> struct Kind<const T> { static constexpr int value = 4; };
template <class T, class C> struct Kind<T C::*> { static constexpr int value = 5; };
template <class R> struct Kind<R()> { static constexpr int value = 6; };
struct S { int m; };
template <class... T> void go() { (k<int, Kind<T>::value><<<1, 1>>>(), ...); }
int main() {
  go<int, int[], int[7], int &, int &&, const int, decltype(&S::m), int()>();
}
