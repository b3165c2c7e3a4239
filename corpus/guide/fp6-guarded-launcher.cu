// torchao's FP6 kernels: the kernel template and the code that launches it stand under one guard that the
// host pass and sm_80 enter. For sm_75 the fat binary has no such kernel, and the host launches it anyway.
//@ targets: 75,80
#include <cstdint>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <int Exponent, int Mantissa, typename OutputT>
__global__ void fp6_gemm(const uint4 *weights, const OutputT *activations, OutputT *out, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) out[row] = activations[row] + static_cast<OutputT>(weights[row].x >> (Exponent + Mantissa));
}

template <int Exponent, int Mantissa, typename OutputT>
static void launch_fp6_gemm(const uint4 *weights, const OutputT *activations, OutputT *out, int rows) {
    fp6_gemm<Exponent, Mantissa, OutputT><<<(rows + 127) / 128, 128>>>(weights, activations, out, rows); //~[sm_75] arch-dependent-instantiation "fp6_gemm"
}
#endif

void fp6_linear(const uint4 *weights, const float *activations, float *out, int rows) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    launch_fp6_gemm<3, 2, float>(weights, activations, out, rows);
#endif
}
