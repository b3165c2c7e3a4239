// [temp.deduct.type]/9 a list with a pack expansion before its end is not deduced from
template <class T, int N> __global__ void k() {}
template <class... T> struct P {};
template <class T> void at(P<T>) { k<T, 1><<<1, 1>>>(); }
template <class T, class... R> void last(T, P<R..., T>) { k<T, 10 + sizeof...(R)><<<1, 1>>>(); }
template <class T, class U> void only(P<T, U>) { k<U, 2><<<1, 1>>>(); }
template <class... T> void only(P<T...>, int = 0) { k<P<T...>, 3><<<1, 1>>>(); }
int main() {
  at(P<int>());
  last<float>(1.f, P<float>());
  only(P<int, char>());
  only(P<int, char, long>());
}
