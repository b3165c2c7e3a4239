// [class.ctor] delegating constructors and a constructor template choose their launches
template <class T, int N> __global__ void k() {}
struct Plan {
  Plan() : Plan(8) { k<void, 0><<<1, 1>>>(); }
  explicit Plan(int n) { k<int, 1><<<1, 1>>>(); }
  template <class T> Plan(T *, int n) : Plan(n) { k<T, 2><<<1, 1>>>(); }
  Plan(double, double) { k<double, 3><<<1, 1>>>(); }
};
int main() {
  Plan a;
  Plan b((float *)nullptr, 4);
}
