// [temp.spec] specialized static members steer the launch
template <class T, int N> __global__ void k() {}
template <class T> struct Tune { static constexpr int block = 256; static const int items; };
template <class T> const int Tune<T>::items = 2;
template <> struct Tune<double> { static constexpr int block = 64; };
template <class T> constexpr int unroll = 4;
template <> constexpr int unroll<char> = 16;
template <class T> constexpr int unroll<T *> = 1;
template <class T> void go() { k<T, Tune<T>::block * unroll<T>><<<1, 1>>>(); }
int main() {
  go<float>();
  go<double>();
  go<char>();
  go<int *>();
}
