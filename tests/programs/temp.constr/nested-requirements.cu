// [temp.constr] nested requirements with and without parentheses
// std: c++20
template <class T, int N> __global__ void k() {}
template <class L> concept Loads = requires(L l, int i) { { l.load(i) }; };
template <class L> concept Small = requires(L l) { requires sizeof(typename L::value_type) <= 16; };
template <class L> concept Smaller = requires(L l) { l.load(1); requires sizeof(typename L::value_type) < 16 && Loads<L>; };
template <class L> concept InParentheses = requires(L l) { requires (sizeof(typename L::value_type) <= 16); };
struct Big { using value_type = char[64]; void load(int); };
struct Word { using value_type = int; void load(int); };
template <class T> void go(T) {
  if constexpr (Loads<T>) k<T, 1><<<1, 1>>>();
  if constexpr (Small<T>) k<T, 2><<<1, 1>>>();
  if constexpr (Smaller<T>) k<T, 3><<<1, 1>>>();
  if constexpr (InParentheses<T>) k<T, 4><<<1, 1>>>();
}
int main() {
  go(Big{});
  go(Word{});
}
