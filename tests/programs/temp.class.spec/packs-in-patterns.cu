// [temp.class.spec] patterns with packs: a list's head, its end, a pack before a fixed tail type
template <class T, int N> __global__ void k() {}
template <class... T> struct TypeList {};
template <class L> struct ForEach;
template <> struct ForEach<TypeList<>> { static void go() { k<void, 0><<<1, 1>>>(); } };
template <class H, class... R> struct ForEach<TypeList<H, R...>> {
  static void go() { k<H, sizeof...(R)><<<1, 1>>>(); ForEach<TypeList<R...>>::go(); }
};
template <class F> struct Arity;
template <class R, class... A> struct Arity<R(A...)> { static constexpr int n = sizeof...(A); };
template <class R, class... A> struct Arity<R(A..., ...)> { static constexpr int n = 100 + sizeof...(A); };
int main() {
  ForEach<TypeList<float, double, char>>::go();
  k<int, Arity<void(int, int)>::n><<<1, 1>>>();
  k<int, Arity<int(const char *, ...)>::n><<<1, 1>>>();
}
