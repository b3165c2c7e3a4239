// Conditions that come out alike in every pass of this build: no target is older than sm_75.
//@ targets: 75,80,90
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
typedef float value_t;
#else
typedef double value_t;
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 530
constexpr int kWidth = 1;
#else
constexpr int kWidth = 2;
#endif

template <int Width>
__global__ void load(value_t value) {}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
void run() {
    load<kWidth><<<1, 1>>>(1);
}
#endif
