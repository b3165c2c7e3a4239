// [temp.explicit] an extern template suppresses the bodies that it names, inline ones are still instantiated
template <class T, int N> __global__ void k() {}
template <class T> void big(T) { k<T, 1><<<1, 1>>>(); }
extern template void big(float);
template <class T> struct Lib {
  void body();
  void in_class() { k<T, 2><<<1, 1>>>(); }
};
template <class T> void Lib<T>::body() { k<T, 3><<<1, 1>>>(); }
extern template struct Lib<int>;
int main() {
  big(1.f);
  big(1.0);
  Lib<int>().body();
  Lib<char>().body();
}
