// [temp.deduct.call] what literals deduce, nullptr's own type among them
template <class T> __global__ void k() {}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
template <class T> void ref(const T &) { k<T *><<<1, 1>>>(); }
int main() {
  go(nullptr);
  go(1'000'000'000'000);
  go(0x8000'0000);
  go(5uL);
  go(1e-3);
  go(1e-3f);
  go(L'x');
  go(u'x');
  go(sizeof(int));
  go(&"ab"[0]);
  ref('c');
  ref(1 < 2);
}
