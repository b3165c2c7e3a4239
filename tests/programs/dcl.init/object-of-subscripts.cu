// [dcl.init] a declaration whose parentheses hold a subscript declares an object, and one that holds a type a function
template <class T> __global__ void k(T) {}
template <class T> struct Queue { __host__ __device__ Queue(void *q) {} };
template <class T> void go(void **allocations, void *table[2][2], int n) {
  Queue<T> queue(allocations[0]);
  k<<<1, 1>>>(queue);
  Queue<char> second(allocations[n]);
  k<<<1, 1>>>(second);
  Queue<float> matrix(table[1][n]);
  k<<<1, 1>>>(matrix);
  typedef T Mine;
  Queue<short> function(Mine[2]);
}
int main() {
  void *a[2], *b[2][2];
  go<int>(a, b, 1);
}
