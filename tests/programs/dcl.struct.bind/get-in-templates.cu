// [dcl.struct.bind]/4 get of a tuple-like class is a member template or found by argument-dependent lookup, in templates that do not name it
#include <utility>
template <class T, int N> __global__ void k(T *p) {}
template <class T, int N> T run() { k<T, N><<<1, 1>>>((T *)0); return T(); }
template <class T> struct Member {
  template <std::size_t I> T get() const { return run<T, 10 + I>(); }
};
template <class T> T get(T) { return run<T, 1>(); }
namespace library {
template <class T> struct Free { T get() { return run<T, 2>(); } };
template <std::size_t I, class T> T get(const Free<T> &) { return run<T, 20 + I>(); }
}
namespace std {
template <class T> struct tuple_size<Member<T>> { static constexpr size_t value = 2; };
template <size_t I, class T> struct tuple_element<I, Member<T>> { using type = T; };
template <class T> struct tuple_size<library::Free<T>> { static constexpr size_t value = 2; };
template <size_t I, class T> struct tuple_element<I, library::Free<T>> { using type = T; };
}
template <class P> void both(P pair) { auto [first, second] = pair; (void)first; }
template <class P> void refer(const P &pair) { const auto &[first, second] = pair; (void)first; }
template <class P> void each(P (&pairs)[2]) { for (auto &[first, second] : pairs) (void)first; }
int main() {
  both(Member<int>());
  refer(library::Free<float>());
  Member<char> members[2];
  each(members);
}
