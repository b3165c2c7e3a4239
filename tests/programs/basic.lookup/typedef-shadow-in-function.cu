// [basic.lookup] a function's own alias hides the class's and the namespace's
template <class T> __global__ void k(T *p) {}
using scalar_t = float;
struct Op {
  using scalar_t = double;
  void first() { k<scalar_t><<<1, 1>>>(nullptr); }
  void second() {
    using scalar_t = int;
    k<scalar_t><<<1, 1>>>(nullptr);
    {
      typedef char scalar_t;
      k<scalar_t *><<<1, 1>>>(nullptr);
    }
    k<scalar_t **><<<1, 1>>>(nullptr);
  }
};
void third() { k<::scalar_t><<<1, 1>>>(nullptr); }
