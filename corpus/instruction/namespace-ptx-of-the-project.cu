// A namespace `ptx` of the project's own is no part of libcu++, whatever its functions are called.
//@ targets: 80,90
namespace mine {
namespace ptx {
__device__ inline void cp_async_bulk() {}
} // namespace ptx
} // namespace mine

__global__ void run() {
#if __CUDA_ARCH__ >= 800
    mine::ptx::cp_async_bulk();
#endif
}
