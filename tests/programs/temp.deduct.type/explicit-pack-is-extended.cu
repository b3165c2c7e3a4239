// [temp.arg.explicit]/9 explicit arguments of a pack that deduction extends, from a class's arguments too
template <class T, int N> __global__ void k() {}
template <class... T> struct P {};
template <int N> struct Int {};
template <class... T> void of_class(P<T...>) { k<P<T...>, 1><<<1, 1>>>(); }
template <class... T> void of_arguments(T...) { k<P<T...>, 2><<<1, 1>>>(); }
template <int... N> void of_values(P<Int<N>...>) { k<int, (N + ... + 0)><<<1, 1>>>(); }
template <class R, class... T> void after(P<T...>) { k<P<R, T...>, 4><<<1, 1>>>(); }
int main() {
  of_class<int>(P<int, float>());
  of_arguments<long, float>(1, 2, 3);
  of_values<20>(P<Int<20>, Int<30>>());
  after<char>(P<short, int>());
  after<char, short>(P<short, long>());
}
