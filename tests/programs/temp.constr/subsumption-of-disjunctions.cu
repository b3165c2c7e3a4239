// [temp.constr] atomic constraints, conjunctions and disjunctions in subsumption
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T> concept Small = sizeof(T) <= 4;
template <class T> concept Number = Small<T> || sizeof(T) == 8;
template <class T> concept Word = Small<T> && sizeof(T) == 4;
template <Number T> void go(T) { k<T, 1><<<1, 1>>>(); }
template <Small T> void go(T) { k<T, 2><<<1, 1>>>(); }
template <Word T> void go(T) { k<T, 3><<<1, 1>>>(); }
int main() {
  go(1.0);
  go('c');
  go(1);
}
