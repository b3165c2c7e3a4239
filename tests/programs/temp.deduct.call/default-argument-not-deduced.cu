// [temp.deduct.call] a default argument does not deduce: the template's default does
template <class T, class U> __global__ void k() {}
template <class T, class U = T> void go(T, U = {}) { k<T, U><<<1, 1>>>(); }
template <class F = int> void maybe(F = 0) { k<F, F><<<1, 1>>>(); }
int main() {
  go(1.f);
  go(1.f, 2);
  maybe();
  maybe('c');
}
