// [over.oper] class-specific operator new and delete that launch
template <class T, int N> __global__ void k() {}
using size_type = decltype(sizeof(0));
template <class T> struct Pooled {
  static void *operator new(size_type) { k<T, 1><<<1, 1>>>(); return nullptr; }
  static void operator delete(void *) { k<T, 2><<<1, 1>>>(); }
  static void *operator new[](size_type) { k<T, 3><<<1, 1>>>(); return nullptr; }
  static void operator delete[](void *) {}
};
struct A : Pooled<A> {};
struct B : Pooled<B> {};
int main() {
  A *a = new A;
  delete a;
  B *b = new B[3];
}
