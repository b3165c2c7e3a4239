// [temp.deduct] ranked tags order the candidates that are all viable
template <class T, int N> __global__ void k() {}
template <int N> struct rank : rank<N - 1> {};
template <> struct rank<0> {};
struct Fused { void fused() {} };
struct Split { void split() {} };
template <class T> auto go(T t, rank<2>) -> decltype(t.fused()) { k<T, 2><<<1, 1>>>(); }
template <class T> auto go(T t, rank<1>) -> decltype(t.split()) { k<T, 1><<<1, 1>>>(); }
template <class T> void go(T, rank<0>) { k<T, 0><<<1, 1>>>(); }
template <class T> void launch(T t) { go(t, rank<2>{}); }
int main() {
  launch(Fused{});
  launch(Split{});
  launch(5);
}
