// [temp.constr] member functions of a class template with trailing requires clauses
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Tile {
  void store() requires(N % 4 == 0) { k<T, 4><<<1, 1>>>(); }
  void store() requires(N % 4 != 0) { k<T, 1><<<1, 1>>>(); }
  void scalar() requires(sizeof(T) > 100) { k<T, 9><<<1, 1>>>(); }
};
int main() {
  Tile<float, 8>().store();
  Tile<char, 7>().store();
}
template struct Tile<double, 4>;
