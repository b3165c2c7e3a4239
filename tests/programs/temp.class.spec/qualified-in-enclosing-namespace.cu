// [temp.spec.partial.general]/6 partial and explicit specializations declared by a qualified name in a namespace around the template's
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
template <class T> struct Mine {};
namespace outer {
template <class T> struct Size { static void go() { run<T, 1>(); } };
template <class T> constexpr int number = 2;
inline namespace version { template <class T> struct Inlined { static void go() { run<T, 3>(); } }; }
namespace inner { template <class T, int N = 4> struct Deep; struct Tag {}; }
template <class T> struct inner::Deep<T *> { static void go() { run<T, 5>(); } };
template <> struct inner::Deep<inner::Tag> { using type = inner::Tag; static void go() { run<char, 6>(); } };
template <class T> void both() { Size<T>::go(); Inlined<T>::go(); }
}
namespace alias = outer::inner;
template <class T> struct outer::Size<Mine<T>> { static void go() { run<T, 7>(); } };
template <> struct outer::Size<Mine<long>> { static void go() { run<long, 8>(); } };
template <class T> constexpr int outer::number<Mine<T>> = 9;
template <> constexpr int outer::number<char> = 10;
template <class T> struct outer::Inlined<Mine<T>> { static void go() { run<T, 11>(); } };
template <class T> struct alias::Deep<Mine<T>> { static void go() { run<T, 12>(); } };
template <class T> struct ::outer::inner::Deep<T &> { static void go() { run<T, 13>(); } };
template <class T> struct Size { static void go() { run<T, 14>(); } };
template <class T> struct Size<Mine<T>> { static void go() { run<T, 15>(); } };
template <class T> void size() { outer::Size<T>::go(); run<T, outer::number<T>>(); }
int main() {
  size<int>();
  size<Mine<float>>();
  size<Mine<long>>();
  size<char>();
  outer::both<Mine<short>>();
  outer::inner::Deep<int *>::go();
  outer::inner::Deep<outer::inner::Tag>::go();
  outer::inner::Deep<Mine<double>>::go();
  outer::inner::Deep<unsigned &>::go();
  Size<Mine<bool>>::go();
}
