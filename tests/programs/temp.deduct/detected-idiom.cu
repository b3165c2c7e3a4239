// [temp.deduct] is_detected with a template of expressions
#include <type_traits>
template <class T, bool V> __global__ void k() {}
template <class, template <class> class Op, class T> struct detector : std::false_type {};
template <template <class> class Op, class T> struct detector<std::void_t<Op<T>>, Op, T> : std::true_type {};
template <template <class> class Op, class T> using is_detected = detector<void, Op, T>;
template <class T> using vector_load = decltype(std::declval<T>().load4(0));
struct Aligned { float load4(int); };
struct Scalar { float load1(int); };
template <class T> void go() { k<T, is_detected<vector_load, T>::value><<<1, 1>>>(); }
int main() {
  go<Aligned>();
  go<Scalar>();
}
