//~ misspelt-arch-macro "`-D__CUDA_ARCH__=800` on the command line"
// `-D__CUDA_ARCH__=800` makes the host's pass look like a device's; CUDA's own headers do not compile so. What is ours
// has one meaning in every pass.
//@ define: __CUDA_ARCH__=800
//@ nvcc: disagrees because CUDA's own headers do not compile with the macro set
#ifdef __CUDA_ARCH__
__global__ void tick(int *out) {
    *out += __CUDA_ARCH__ > 0;
}
#endif

void run(int *out) {
    tick<<<1, 1>>>(out);
}
