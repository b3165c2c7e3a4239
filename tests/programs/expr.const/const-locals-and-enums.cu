// [expr.const] const integers, enumerators and constexpr locals as arguments
template <int A, int B> __global__ void k() {}
template <class T> void go() {
  const int block = 128;
  constexpr int per = sizeof(T) * 2, total = block * per;
  enum { shift = 3, mask = (1 << shift) - 1 };
  static const int limit = total / mask;
  k<total, mask><<<1, block>>>();
  k<limit, block % 5><<<1, block>>>();
}
int main() {
  go<float>();
  go<char>();
}
