// [temp.deduct.partial] kernel templates overloaded by pointer, reference to class template and value
template <class T> struct View { T *p; };
template <class T> __global__ void copy(T v) {}
template <class T> __global__ void copy(T *p) {}
template <class T> __global__ void copy(View<T> v) {}
template <class T, class U> __global__ void copy(T a, U b) {}
template <class X> void launch(X x) { copy<<<1, 1>>>(x); }
int main() {
  launch(1.f);
  launch((float *)nullptr);
  launch(View<int>{});
  copy<<<1, 1>>>(View<double>{}, 3);
}
