// [except] objects whose destructors launch round code that throws
template <class T, int N> __global__ void k() {}
template <class T> struct Stream {
  explicit Stream(int n) { if (n < 0) throw n; k<T, 1><<<1, 1>>>(); }
  ~Stream() noexcept { k<T, 2><<<1, 1>>>(); }
  Stream(const Stream &) = delete;
};
template <class T> struct Pair { Stream<T> a{1}; Stream<T *> b; Pair() : b(2) {} };
int main() {
  try {
    Pair<int> p;
    const Stream<char> &s = Stream<char>(3);
    throw Stream<float>(4), 5;
  } catch (int) {
  }
}
