// The inline namespace changes with the architecture, and holds a kernel and a variable. Which targets come last
// decides between a build error and kernels that are not found.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TUNING hopper
#else
#define TUNING generic
#endif

namespace tuned {
inline namespace TUNING {
__device__ int tiles_done; //~[sm_90] arch-dependent-signature "tiles_done"

__global__ void count_tile() { //~[host,sm_80] arch-dependent-signature "tuned::hopper::count_tile"
    atomicAdd(&tiles_done, 1);
}
}
}

void run() {
    int zero = 0;
    cudaMemcpyToSymbol(tuned::tiles_done, &zero, sizeof(zero));
    tuned::count_tile<<<4, 1>>>();
}
