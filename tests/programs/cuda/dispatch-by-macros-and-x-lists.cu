// [cuda] X-macro lists, token pasting and variadic macros make launchers and tables
template <class T, int N> __global__ void k() {}
#define TYPES(X) X(f32, float) X(f64, double) X(i8, signed char)
#define SIZES(X, ...) X(16, __VA_ARGS__) X(32, __VA_ARGS__)
enum Dtype {
#define ENTRY(NAME, TYPE) D_##NAME,
  TYPES(ENTRY)
#undef ENTRY
};
#define DEFINE(N, NAME, TYPE) void run_##NAME##_##N() { k<TYPE, N><<<1, 1>>>(); }
#define BOTH(NAME, TYPE) SIZES(DEFINE, NAME, TYPE)
TYPES(BOTH)
void dispatch(Dtype d) {
  switch (d) {
#define CASE(NAME, TYPE) case D_##NAME: return k<TYPE, D_##NAME><<<1, 1>>>();
    TYPES(CASE)
#undef CASE
  }
}
