// [over.match] deleted functions take part, ellipses come last
template <class T, int N> __global__ void k() {}
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
void go(char) = delete;
void pick(...) { k<void, 2><<<1, 1>>>(); }
template <class T> void pick(T *) { k<T, 3><<<1, 1>>>(); }
void pick(long) { k<long, 4><<<1, 1>>>(); }
int main() {
  go(1);
  go(static_cast<signed char>('c'));
  struct Local {} l;
  pick(l);
  int i;
  pick(&i);
  pick('c');
}
