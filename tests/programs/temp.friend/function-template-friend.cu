// [temp.friend] a function template befriended by a class template and defined outside
template <class T, int N> __global__ void k() {}
template <class T> class Tensor;
template <class T> Tensor<T> matmul(const Tensor<T> &, const Tensor<T> &);
template <class T> class Tensor {
  T *p = nullptr;
  friend Tensor matmul<>(const Tensor &, const Tensor &);
};
template <class T> Tensor<T> matmul(const Tensor<T> &a, const Tensor<T> &) { k<T, 1><<<1, 1>>>(); return a; }
int main() {
  Tensor<float> a, b;
  matmul(a, b);
}
