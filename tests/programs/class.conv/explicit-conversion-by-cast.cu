// [class.conv] explicit conversion functions are called by casts and conditions alone
template <class T, int N> __global__ void k() {}
template <class T> struct Flag {
  explicit operator bool() const { k<T, 1><<<1, 1>>>(); return true; }
  explicit operator T() const { k<T, 2><<<1, 1>>>(); return T(); }
};
int main() {
  if (Flag<float>{}) {}
  int i = static_cast<int>(Flag<int>{});
  double d = (double)Flag<double>{};
  bool b = Flag<char>{} && true;
}
