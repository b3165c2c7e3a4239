// [temp.deduct.type] patterns of expansions that are pointers, references, arrays, const and function types
template <class T, int N> __global__ void k() {}
template <class... T> struct P {};
template <class... T> void pointers(P<T *...>) { k<P<T...>, 1><<<1, 1>>>(); }
template <class... T> void constants(P<const T...>) { k<P<T...>, 2><<<1, 1>>>(); }
template <class... T, int... N> void arrays(P<T[N]...>) { k<P<T...>, (N + ... + 0)><<<1, 1>>>(); }
template <class... R, class... A> void functions(P<R(A)...>) { k<P<R...>, 4><<<1, 1>>>(); k<P<A...>, 5><<<1, 1>>>(); }
template <class R, class... A> void pointer(R (*)(P<A>...)) { k<P<R, A...>, 6><<<1, 1>>>(); }
template <class... T> void references(P<T &...>) { k<P<T...>, 7><<<1, 1>>>(); }
int callee(P<char>, P<long>);
int main() {
  pointers(P<int *, float **>());
  constants(P<const int, const float>());
  arrays(P<int[3], char[4]>());
  functions(P<void(int), char(long)>());
  pointer(callee);
  references(P<int &, const double &>());
}
