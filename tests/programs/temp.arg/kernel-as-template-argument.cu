// [temp.arg] a kernel's address as a template argument of a launcher
template <class T> __global__ void relu(T *p) {}
template <class T, int N> __global__ void pow(T *p) {}
template <class T, void (*Kernel)(T *)> void launch(T *p) { Kernel<<<1, 1>>>(p); }
template <auto Kernel> struct Op { template <class... A> static void run(A... a) { Kernel<<<1, 1>>>(a...); } };
int main() {
  launch<float, relu<float>>(nullptr);
  launch<double, &pow<double, 3>>(nullptr);
  Op<relu<int>>::run((int *)nullptr);
  using Unused = Op<&pow<char, 2>>;
}
