// [namespace.udecl] a using-declaration makes a dependent base's members visible
template <class T, int N> __global__ void k() {}
template <class T> struct Storage {
  using value_type = T;
  T *p = nullptr;
  void upload() { k<T, 1><<<1, 1>>>(); }
  template <int N> void tile() { k<T, N><<<1, 1>>>(); }
};
template <class T> struct Tensor : Storage<T> {
  using Storage<T>::upload;
  using Storage<T>::tile;
  using typename Storage<T>::value_type;
  void go() {
    upload();
    this->template tile<16>();
    k<value_type *, 2><<<1, 1>>>();
  }
};
int main() { Tensor<float>().go(); }
