// [temp.arg] an argument is converted to the type of its parameter
template <unsigned char C> __global__ void kc() {}
template <signed char C> __global__ void ks() {}
template <bool B> __global__ void kb() {}
template <long long L> __global__ void kl() {}
constexpr int width = 200;
template <int N> void go() {
  kc<(unsigned char)(N * 2)><<<1, 1>>>();
  ks<(signed char)N><<<1, 1>>>();
  kb<(N > 3)><<<1, 1>>>();
  kl<1LL * N << 32><<<1, 1>>>();
}
int main() {
  go<width>();
  go<3>();
}
