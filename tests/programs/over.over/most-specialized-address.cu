// [over.over] the address of the most specialized function template; explicit instantiations by return type and parameters
template <class T, int N> __global__ void k() {}
template <class T> void run(T) { k<T, 1><<<1, 1>>>(); }
template <class T> void run(T *) { k<T, 2><<<1, 1>>>(); }
template <class T> void two() { k<T, 3><<<1, 1>>>(); }
template <class T, class U> void two() { k<T, 4><<<1, 1>>>(); }
template <class T> long result(T) { k<T, 5><<<1, 1>>>(); return 0; }
template <class T, class = int> int result(T) { k<T, 6><<<1, 1>>>(); return 1; }
template void two<short>();
template void two<long, int>();
template int result(int);
template long result(char);
int main() {
  void (*p)(int *) = run;
  void (*q)(float) = run;
}
