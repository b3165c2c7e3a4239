// [expr.sizeof]/5 sizeof... of a pack within an expansion of that pack counts the pack
template <int... N> struct seq {};
template <class T> struct rev;
template <int... N> struct rev<seq<N...>> { using type = seq<sizeof...(N) - 1 - N...>; };
template <class... T> struct list {};
template <class... T> struct sizes { template <class... U> using of = list<seq<sizeof...(T), sizeof...(U), sizeof(U)>...>; };
template <class S> __global__ void k() {}
template <int N> __global__ void n() {}
template <class... A> int total(A... a) { int all[] = {(n<sizeof...(a) * 100 + sizeof(a)><<<1, 1>>>(), 0)...}; return 0; }
template <class... A> int folded(A... a) { (n<sizeof...(A) * 1000 + sizeof(A)><<<1, 1>>>(), ...); return 0; }
int main() {
  k<rev<seq<0, 1, 2>>::type><<<1, 1>>>();
  k<sizes<int, int, int>::of<char, short>><<<1, 1>>>();
  total('a', 1.0); folded('a', 1, 2.0);
}
