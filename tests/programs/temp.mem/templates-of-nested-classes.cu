// [temp.mem] member templates of nested class templates, defined outside
template <class T, int N> __global__ void k() {}
template <class T> struct Outer {
  template <int N> struct Inner {
    template <class U> void run(U);
    template <class U> static void stat();
  };
};
template <class T> template <int N> template <class U> void Outer<T>::Inner<N>::run(U) { k<U, N><<<1, 1>>>(); k<T, 1000><<<1, 1>>>(); }
template <class T> template <int N> template <class U> void Outer<T>::Inner<N>::stat() { k<U, N * 2><<<1, 1>>>(); }
int main() {
  Outer<int>::Inner<3>{}.run(1.0f);
  Outer<char>::Inner<5>::stat<double>();
}
