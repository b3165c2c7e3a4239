// [class.base.init] aggregate initialization constructs bases and members, missing ones by default
template <class T, int N> __global__ void k() {}
template <class T> struct Mem { Mem() { k<T, 0><<<1, 1>>>(); } Mem(int) { k<T, 1><<<1, 1>>>(); } };
struct Base { Mem<char> c; };
struct Agg : Base { Mem<int> a; Mem<float> b = 5; Mem<double> d; };
int main() {
  Agg x{{}, 1};
  Agg y = {Base{2}, 1, 2, 3};
}
