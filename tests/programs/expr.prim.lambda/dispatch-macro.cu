// [expr.prim.lambda] a dispatch macro that calls a lambda in which an alias stands for the chosen type
template <class T, int N> __global__ void k(T *p) {}
enum class Dtype { f32, f64, i32 };
#define CASE(NAME, TYPE, ...) case NAME: { using scalar_t = TYPE; return __VA_ARGS__(); }
#define DISPATCH(D, ...) \
  [&] { switch (D) { CASE(Dtype::f32, float, __VA_ARGS__) CASE(Dtype::f64, double, __VA_ARGS__) default: return; } }()
#define DISPATCH_BOOL(C, NAME, ...) \
  [&] { \
    if (C) { constexpr bool NAME = true; return __VA_ARGS__(); } \
    else { constexpr bool NAME = false; return __VA_ARGS__(); } \
  }()
void forward(Dtype d, bool causal, void *p) {
  DISPATCH(d, [&] {
    DISPATCH_BOOL(causal, Causal, [&] {
      k<scalar_t, Causal ? 64 : 32><<<1, 1>>>(static_cast<scalar_t *>(p));
    });
  });
}
