// [class.conv] conversions in arithmetic, comparison, switch and subscript
template <class T, int N> __global__ void k() {}
template <class T> struct Num { operator T() const { k<T, sizeof(T)><<<1, 1>>>(); return T(1); } };
enum E { e0, e1 };
int main() {
  int a = Num<int>{} + 1;
  bool b = Num<double>{} < 2.0;
  switch (Num<E>{}) { case e0: break; default: break; }
  int table[3] = {};
  table[Num<short>{}] = 1;
  float *p = new float[Num<long>{}];
  unsigned u = -Num<unsigned char>{};
}
