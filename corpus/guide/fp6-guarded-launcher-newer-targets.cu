// The same text for targets that all enter the guard: every pass instantiates the same kernel.
//@ targets: 80,90
#include <cstdint>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <int Exponent, int Mantissa, typename OutputT>
__global__ void fp6_gemm(const uint4 *weights, const OutputT *activations, OutputT *out, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) out[row] = activations[row] + static_cast<OutputT>(weights[row].x >> (Exponent + Mantissa));
}

template <int Exponent, int Mantissa, typename OutputT>
static void launch_fp6_gemm(const uint4 *weights, const OutputT *activations, OutputT *out, int rows) {
    fp6_gemm<Exponent, Mantissa, OutputT><<<(rows + 127) / 128, 128>>>(weights, activations, out, rows);
}
#endif

void fp6_linear(const uint4 *weights, const float *activations, float *out, int rows) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    launch_fp6_gemm<3, 2, float>(weights, activations, out, rows);
#endif
}
