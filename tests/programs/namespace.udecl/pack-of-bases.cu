// [namespace.udecl] a pack of using-declarations makes one overload set of the bases' operators
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Case { void operator()(T) const { k<T, N><<<1, 1>>>(); } };
template <class... C> struct Match : C... { using C::operator()...; };
int main() {
  Match<Case<int, 1>, Case<float, 2>, Case<const char *, 3>> match;
  match(5);
  match("x");
}
