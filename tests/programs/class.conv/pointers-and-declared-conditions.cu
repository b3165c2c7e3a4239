// [class.conv.fct] conversions to pointers for built-in operators, in conditions that declare, and to another specialization
template <class T, int N> __global__ void k() {}
template <class T> struct Pointer { operator T *() const { k<T, 1><<<1, 1>>>(); return nullptr; } };
template <class T> struct Flag { operator int() const { k<T, 2><<<1, 1>>>(); return 1; } };
template <class T> struct Box { template <class U> operator Box<U>() const { k<U, 3><<<1, 1>>>(); return {}; } };
int main() {
  Pointer<float> a;
  *a;
  Pointer<long> b;
  b[1] = 1;
  Pointer<unsigned> c;
  c + 1;
  delete Pointer<double>();
  if (Flag<int> i; i) {}
  while (Flag<float> i = {}) break;
  switch (Flag<short> i = {}) { default: break; }
  for (Flag<char> i; i;) break;
  Box<int> box;
  Box<bool> other = box;
}
