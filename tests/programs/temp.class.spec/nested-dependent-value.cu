// [temp.class.spec] a specialization whose pattern repeats a parameter or wraps a value
template <int A, int B> __global__ void k() {}
template <int N> struct Int { static constexpr int value = N; };
template <class A, class B> struct Layout { static void go() { k<0, 0><<<1, 1>>>(); } };
template <int A, int B> struct Layout<Int<A>, Int<B>> { static void go() { k<A, B><<<1, 1>>>(); } };
template <int A> struct Layout<Int<A>, Int<A>> { static void go() { k<A, -A><<<1, 1>>>(); } };
template <int A> struct Layout<Int<A>, Int<1>> { static void go() { k<A, 1000><<<1, 1>>>(); } };
int main() {
  Layout<int, Int<3>>::go();
  Layout<Int<2>, Int<3>>::go();
  Layout<Int<4>, Int<4>>::go();
  Layout<Int<5>, Int<1>>::go();
}
