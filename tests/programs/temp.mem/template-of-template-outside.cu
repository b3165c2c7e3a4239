// [temp.mem] member templates of class templates defined outside, with both lists of parameters
template <class T, class U, int N> __global__ void k() {}
template <class T> struct Layer {
  template <class U> void forward(U *);
  template <int N> static void tile();
  template <class U> struct Grad { template <int N> void step() const; };
};
template <class T> template <class U> void Layer<T>::forward(U *) { k<T, U, 1><<<1, 1>>>(); }
template <class T> template <int N> void Layer<T>::tile() { k<T, T, N><<<1, 1>>>(); }
template <class T> template <class U> template <int N> void Layer<T>::Grad<U>::step() const { k<T, U, N><<<1, 1>>>(); }
int main() {
  Layer<float> layer;
  layer.forward((int *)nullptr);
  Layer<double>::tile<8>();
  Layer<float>::Grad<char>().step<5>();
}
