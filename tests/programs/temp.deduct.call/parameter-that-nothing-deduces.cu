// [temp.deduct.type] a template parameter in no function parameter, without an argument, makes deduction fail
template <int N> __global__ void k() {}
template <int N, class T, class X> int append(T, X) { k<N><<<1, 1>>>(); return 0; }
template <class T, class X> char append(T, X) { k<sizeof(T) + sizeof(X)><<<1, 1>>>(); return 0; }
int main() {
  k<100 + sizeof(append(1, 2.0))><<<1, 1>>>();
  append<7>(1, 2.0);
  append(1, 'a');
}
