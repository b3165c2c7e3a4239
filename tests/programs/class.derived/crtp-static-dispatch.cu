// [class.derived] the derived class calls back through its base
template <class T, int N> __global__ void k() {}
template <class D> struct Base {
  void run() { static_cast<D *>(this)->impl(); static_cast<D &>(*this).template with<D::width>(); }
};
struct A : Base<A> { static constexpr int width = 2; void impl() { k<A, 0><<<1, 1>>>(); } template <int N> void with() { k<A, N><<<1, 1>>>(); } };
template <class T> struct B : Base<B<T>> { static constexpr int width = sizeof(T); void impl() { k<T, 0><<<1, 1>>>(); } template <int N> void with() { k<T, N><<<1, 1>>>(); } };
int main() {
  A{}.run();
  B<float>{}.run();
}
