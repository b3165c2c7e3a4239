// [over.over] tables of function templates, expanded from a pack, that call an object
template <class T, int N> __global__ void k(T) {}
template <class F, class U> void call(F &f, void *p) { f(*static_cast<U *>(p)); }
template <class... T, class F> void visit(F f) {
  using C = void (*)(F &, void *);
  constexpr C table[] = {call<F, T>...};
  table[1](f, nullptr);
}
template <class F> struct Erased {
  void (*run)(F &, void *) = &call<F, short>;
};
struct Launch { template <class T> void operator()(T &x) const { k<T, 1><<<1, 1>>>(x); } };
int main() {
  visit<int, float>(Launch{});
  Erased<Launch> erased;
}
