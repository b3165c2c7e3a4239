// [temp.constr] partial specializations chosen by constraints
// std: c++20
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T> concept Small = sizeof(T) < 4;
template <class T> concept Byte = Small<T> && sizeof(T) == 1;
template <class T> struct Copy { static void go() { k<T, 0><<<1, 1>>>(); } };
template <Small T> struct Copy<T> { static void go() { k<T, 1><<<1, 1>>>(); } };
template <Byte T> struct Copy<T> { static void go() { k<T, 2><<<1, 1>>>(); } };
template <class T> requires std::is_pointer_v<T> struct Copy<T> { static void go() { k<T, 3><<<1, 1>>>(); } };
int main() {
  Copy<int>::go();
  Copy<short>::go();
  Copy<char>::go();
  Copy<float *>::go();
}
