// [over.oper] user operators << and >> around launches
template <class T, int N> __global__ void k() {}
struct Stream {};
template <class T> Stream &operator<<(Stream &s, const T &) { k<T, 1><<<1, 1>>>(); return s; }
Stream &operator<<(Stream &s, const char *) { k<char, 2><<<1, 1>>>(); return s; }
template <class T> Stream &operator>>(Stream &s, T *) { k<T, 3><<<1, 1>>>(); return s; }
Stream &operator<<(Stream &s, Stream &(*f)(Stream &)) { return f(s); }
Stream &sync(Stream &s) { k<void, 4><<<1, 1>>>(); return s; }
int main() {
  Stream s;
  s << 1 << 2.5 << "text" << sync;
  float f;
  s >> &f;
}
