// [namespace.udecl] a using-declaration brings all overloads, and those of the scope compete with them
template <class T, int N> __global__ void k() {}
namespace impl {
void go(double) { k<double, 1><<<1, 1>>>(); }
template <class T> void go(T *) { k<T, 2><<<1, 1>>>(); }
}
void go(int) { k<int, 3><<<1, 1>>>(); }
using impl::go;
int main() {
  go(1.0);
  go(1);
  go((float *)nullptr);
}
