// [dcl.spec.auto] decltype of names, members, calls, parenthesised expressions and conditionals
template <class T, int N> __global__ void k() {}
struct P { const int *a; double b; };
int g;
P make();
template <class T, class U> void mix(T t, U u) {
  k<decltype(t + u), 1><<<1, 1>>>();
  k<decltype(t < u), 2><<<1, 1>>>();
  k<decltype(true ? t : u), 3><<<1, 1>>>();
}
int main() {
  k<decltype(g), 4><<<1, 1>>>();
  k<decltype((g)), 5><<<1, 1>>>();
  k<decltype(make().b), 6><<<1, 1>>>();
  k<decltype(P::a), 7><<<1, 1>>>();
  k<decltype(make()), 8><<<1, 1>>>();
  k<decltype(&g), 9><<<1, 1>>>();
  k<decltype("ab"), 10><<<1, 1>>>();
  mix('c', 1.f);
  mix(1, 2L);
}
