// [temp.arg] arguments computed by sizeof, alignof, shifts, conditional and casts
template <int A, unsigned B, bool C> __global__ void k() {}
struct alignas(16) Vec { float x[4]; };
constexpr unsigned log2u(unsigned v) { return v < 2 ? 0 : 1 + log2u(v / 2); }
template <class T> void go() {
  k<sizeof(T), alignof(T), (sizeof(T) > 4)><<<1, 1>>>();
  k<(sizeof(T) << 2) % 7, log2u(sizeof(T)), !sizeof(T)><<<1, 1>>>();
  k<int(3.9), (static_cast<unsigned>(-1) >> 28), sizeof(T) == 8 ? true : false><<<1, 1>>>();
}
int main() {
  go<Vec>();
  go<double>();
  go<char>();
}
