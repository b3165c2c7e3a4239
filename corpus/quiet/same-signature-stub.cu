// Marlin's stubs as they should be: kernel templates with one head and one parameter list in both arms.
//@ targets: 75,80
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int Threads, int Stages>
__global__ void marlin(const int *a, int *c, int prob_m) {}
#else
template <int Threads, int Stages>
__global__ void marlin(const int *__restrict__ a, int *__restrict__ c, const int prob_m) {
    c[threadIdx.x] = a[prob_m % Threads] * Stages;
}
#endif

void marlin_gemm(const int *a, int *c, int prob_m) {
    marlin<256, 4><<<1, 256>>>(a, c, prob_m);
}
