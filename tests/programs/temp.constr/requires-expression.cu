// [temp.constr] requires expressions over members, types and nested requirements
// std: c++20
template <class T, int N> __global__ void k() {}
template <class L> concept Loader = requires(L l, int i) {
  typename L::value_type;
  { l.load(i) };
  requires sizeof(typename L::value_type) <= 16;
};
struct A { using value_type = float; float load(int); };
struct B { using value_type = char[64]; void load(int); };
struct C { int load(int); };
template <class T> void go(T) {
  if constexpr (Loader<T>) k<T, 1><<<1, 1>>>();
  else k<T, 0><<<1, 1>>>();
}
int main() {
  go(A{});
  go(B{});
  go(C{});
}
