// [namespace.def.general]/7 a template of an inline namespace is specialized by the qualified name of either namespace
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
namespace outer {
inline namespace version {
template <class T> struct First { static void go() { run<T, 1>(); } };
template <class T> struct Second { static void go() { run<T, 2>(); } };
template <class T> constexpr int third = 3;
template <class T> void inside() { First<T>::go(); Second<T>::go(); run<T, third<T>>(); }
}
template <class T> void around() { First<T *>::go(); Second<T *>::go(); run<T, third<T *>>(); }
}
template <class T> struct outer::version::First<T *> { static void go() { run<T, 4>(); } };
template <class T> struct outer::Second<T *> { static void go() { run<T, 5>(); } };
template <class T> constexpr int outer::third<T *> = 6;
int main() {
  outer::inside<char *>();
  outer::version::inside<int>();
  outer::around<float>();
  outer::First<long *>::go();
  outer::version::Second<short *>::go();
}
