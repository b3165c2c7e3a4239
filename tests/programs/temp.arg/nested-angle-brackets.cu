// [temp.arg] shifts, comparisons and >> in template argument lists
template <class T, int N> __global__ void k() {}
template <class T> struct W { using type = T; };
template <bool B> struct If { static constexpr int value = B ? 1 : 2; };
template <int A, int B> void go() {
  k<W<W<W<int>>>, (A >> B)><<<1, 1>>>();
  k<typename W<W<char>>::type, If<(A > B)>::value><<<1, 1>>>();
  k<W<If<(A < B)>>, If<(A >> 1 > B)>::value><<<1, 1 >> 0>>>();
}
int main() { go<64, 2>(); }
