// [class.static.data] a class template registers a launcher through a static member used in its constructor
template <class T, int N> __global__ void k() {}
using fn = void (*)();
inline int add(fn f) { f(); return 0; }
inline void touch(const int &) {}
template <class D> struct AutoRegister {
  static inline const int registered = add(&D::run);
  AutoRegister() { touch(registered); }
};
struct OpA : AutoRegister<OpA> { static void run() { k<OpA, 1><<<1, 1>>>(); } };
struct OpB : AutoRegister<OpB> { static void run() { k<OpB, 2><<<1, 1>>>(); } };
template <class T> struct OpC : AutoRegister<OpC<T>> { static void run() { k<T, 3><<<1, 1>>>(); } };
int main() {
  OpA a;
  OpC<float> c;
}
