// [dcl.init.list] braced lists as kernel arguments, as launch configurations and in members of aggregates
template <class T> struct Params { T *p; int n; T scale; };
template <class T> __global__ void run(Params<T> p) {}
template <class T, int N> __global__ void k(T (*f)(T)) {}
struct Shape { int d[3]; };
template <class P> __global__ void any(P p, Shape s) {}
template <class T> Params<T> make(T *p) { return {p, 3, T(1)}; }
int main() {
  run<float><<<dim3{1}, {32, 1}>>>({nullptr, 1, 2.f});
  run<<<1, 1>>>(make((double *)nullptr));
  any<Params<int>><<<1, 1>>>({nullptr, 2}, {{1, 2, 3}});
  any<<<1, 1>>>(Params<char>{nullptr, 1, 'a'}, {});
  k<float, 2><<<1, 1>>>({});
}
