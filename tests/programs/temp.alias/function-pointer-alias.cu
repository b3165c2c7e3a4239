// [temp.alias] aliases of function types used as parameters, members and kernel arguments
template <class F> __global__ void k(F f) {}
template <class T, int N> __global__ void plain(T *) {}
template <class T> using Kernel = void (*)(T *);
using Binary = float (*)(float, float);
template <class T> struct Entry { Kernel<T> kernel; void run() const { kernel<<<1, 1>>>(nullptr); } };
int main() {
  Entry<float> e{plain<float, 4>};
  e.run();
  Kernel<int> table[] = {plain<int, 1>, &plain<int, 2>};
  k<Binary><<<1, 1>>>(nullptr);
  using Local = Kernel<Kernel<char>>;
  k<Local><<<1, 1>>>(nullptr);
}
