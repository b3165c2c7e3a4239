// [class.conv] explicit operator bool in conditions, loops, logic and not
template <class T, int N> __global__ void k() {}
template <class T> struct Ok { explicit operator bool() const { k<T, 1><<<1, 1>>>(); return true; } };
int main() {
  if (Ok<int>{}) {}
  while (Ok<float>{}) break;
  bool a = Ok<char>{} && true;
  bool b = !Ok<short>{};
  int c = Ok<long>{} ? 1 : 2;
  for (; Ok<double>{};) break;
  bool d(Ok<unsigned>{});
}
