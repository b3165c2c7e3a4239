// [temp.explicit] a macro instantiates launchers for a list of types, as libraries do
template <class T, int D> __global__ void attention(T *p) {}
template <class T, int D, bool Causal> struct Params { T *p; };
template <class T, int D, bool Causal> void run_mha(Params<T, D, Causal> &p) {
  attention<T, Causal ? D : -D><<<1, 1>>>(p.p);
}
#define INSTANTIATE(T, D) \
  template void run_mha<T, D, true>(Params<T, D, true> &); \
  template void run_mha<T, D, false>(Params<T, D, false> &)
#define FOR_ALL_TYPES(M, ...) M(float, __VA_ARGS__); M(double, __VA_ARGS__);
FOR_ALL_TYPES(INSTANTIATE, 64)
FOR_ALL_TYPES(INSTANTIATE, 128)
