// [basic.lookup] a function declared in a block hides the overloads of the namespace
template <int N> __global__ void k() {}
void push(double);
void push(int) { k<1><<<1, 1>>>(); }
template <class T> void push(T) { k<2><<<1, 1>>>(); }
int main() {
  void push(double);
  push(3);
}
void push(double) { k<3><<<1, 1>>>(); }
