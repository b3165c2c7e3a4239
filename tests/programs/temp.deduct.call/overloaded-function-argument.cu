// [temp.deduct.call] an overload set as argument is resolved by the parameter that deduction gives
template <class T, int N> __global__ void k() {}
int op(int);
float op(float);
template <class T> void transform(T, T (*)(T)) { k<T, 1><<<1, 1>>>(); }
template <class R> void only(R (*)(float)) { k<R, 2><<<1, 1>>>(); }
int main() {
  transform(1.f, op);
  transform(1, op);
}
