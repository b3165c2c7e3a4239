// [temp.arg] default template arguments that name earlier parameters
template <class T, class Acc, int N, bool V> __global__ void k() {}
template <class T> struct acc { using type = float; };
template <> struct acc<double> { using type = double; };
template <class T, class Acc = typename acc<T>::type, int N = sizeof(Acc) * 2, bool V = (N > 8)> void reduce() {
  k<T, Acc, N, V><<<1, 1>>>();
}
template <class T, int N = 256 / sizeof(T)> struct Block { static void run() { k<T, T, N, true><<<1, 1>>>(); } };
int main() {
  reduce<char>();
  reduce<double>();
  reduce<int, long>();
  reduce<int, short, 1>();
  Block<short>::run();
}
