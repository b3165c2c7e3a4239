// [temp.deduct.partial] a template with a pack is less specialized than one without
template <int N, class... T> __global__ void k() {}
template <class... T> void go(T...) { k<1, T...><<<1, 1>>>(); }
template <class T> void go(T) { k<2, T><<<1, 1>>>(); }
template <class T, class... R> void go(T *, R...) { k<3, T, R...><<<1, 1>>>(); }
template <class T, class U> void go(T, U) { k<4, T, U><<<1, 1>>>(); }
void go(int, int) { k<5><<<1, 1>>>(); }
int main() {
  go();
  go(1);
  go(1, 2);
  go(1, 2.f);
  go((char *)nullptr, 1, 2);
  go(1, 2, 3);
}
