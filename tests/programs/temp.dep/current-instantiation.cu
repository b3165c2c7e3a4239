// [temp.dep] members of the current instantiation, used before they are declared
template <class T, int N> __global__ void k() {}
template <class T> struct Tensor {
  void first() { second(); helper<3>(); k<elem, width><<<1, 1>>>(); }
  void second() { Tensor::third(); this->helper<width>(); }
  static void third() { k<Tensor<T> *, 1><<<1, 1>>>(); }
  template <int N> void helper() { k<T, N><<<1, 1>>>(); }
  using elem = T *;
  static constexpr int width = 8;
};
int main() { Tensor<float>().first(); }
