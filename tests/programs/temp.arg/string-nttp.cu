// [temp.arg] a fixed string as argument
// std: c++20
template <int N> struct Name {
  char text[N]{};
  constexpr Name(const char (&s)[N]) { for (int i = 0; i < N; ++i) text[i] = s[i]; }
};
template <int L, char C> __global__ void k() {}
template <Name S> void launch() { k<sizeof(S.text), S.text[0]><<<1, 1>>>(); }
int main() {
  launch<"gemm">();
  launch<"softmax">();
}
