// [temp.variadic] a fold with || finds the value that is asked for at run time
template <class T, int N> __global__ void k() {}
template <class T, int N> bool try_one(int n) {
  if (n != N) return false;
  k<T, N><<<1, 1>>>();
  return true;
}
template <class T, int... N> bool dispatch(int n) { return (try_one<T, N>(n) || ...); }
int main(int argc, char **) { return dispatch<float, 32, 64, 96>(argc) && dispatch<double, 16>(argc); }
