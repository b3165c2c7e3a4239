// [class.copy.assign] an assignment is an lvalue, from which an object is copied
template <class T, int N> __global__ void k(T) {}
template <class T> struct Part { Part() {} Part(const Part &) { k<T, 1><<<1, 1>>>({}); } };
template <class T> struct Whole { Part<T> part; };
template <class T> T assigned(T &a, const T &b) { return a = b; }
int main() {
  Whole<int> a, b;
  assigned(a, b);
  Whole<float> c, d;
  Whole<float> e = (c = d);
}
