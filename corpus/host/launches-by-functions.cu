// Launches by functions of the runtime, and the objects that configure them: a structure whose members are assigned, a block
// whose members are, a size that is assigned behind its declaration, arrays of pointers to a kernel's arguments, and what the
// host asks the occupancy with.
//@ targets: 80,90
#include <cuda_runtime.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define THREADS 1024
constexpr int shared_bytes = 64 * 1024;
struct Traits {
    static constexpr int stages = 4;
};
#else
#define THREADS 256
constexpr int shared_bytes = 32 * 1024;
struct Traits {
    static constexpr int stages = 2;
};
#endif

__global__ void sum(float *out, int rows = 0) {
    extern __shared__ float line[];
    __shared__ float tile[THREADS];
    tile[threadIdx.x] = line[shared_bytes / sizeof(float) - 1];
    *out = tile[0] + Traits::stages;
}

void by_pointer(float *out) {
    void *arguments[] = {&out};
    cudaLaunchKernel((const void *)sum, dim3(1), dim3(THREADS), arguments, 0, 0); //~[sm_90] host-value-by-pass "`THREADS` is 256 on the host, where `by_pointer` launches"
}

void by_array(float *out) {
    int rows = THREADS; //~[sm_90] host-value-by-pass "`THREADS` is 256 on the host, where `by_array` passes it to a kernel"
    void *arguments[] = {&out, &rows};
    cudaLaunchKernel((const void *)sum, dim3(1), dim3(32), arguments, 0, 0);
}

void by_elements(float *out) {
    int rows = 2 * Traits::stages; //~[sm_90] host-value-by-pass "`Traits::stages` is 2 on the host, where `by_elements` passes it"
    void *arguments[2];
    arguments[0] = static_cast<void *>(&out);
    arguments[1] = &rows;
    cudaLaunchCooperativeKernel((const void *)sum, dim3(1), dim3(32), (void **)arguments, 0, 0);
}

void by_configuration(float *out) {
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = THREADS; //~[sm_90] host-value-by-pass "`by_configuration` launches a kernel with it, and 1024 on sm_90"
    config.dynamicSmemBytes = shared_bytes; //~[sm_90] host-value-by-pass "`shared_bytes` is 32768 on the host"
    cudaLaunchKernelEx(&config, sum, out, 0);
}

void by_occupancy(float *out) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 32, shared_bytes); //~[sm_90] host-value-by-pass "`by_occupancy` asks for the occupancy of a kernel with it"
    sum<<<blocks, 32>>>(out);
}

void by_members(float *out) {
    dim3 block;
    block.x = THREADS; //~[sm_90] host-value-by-pass "where `by_members` launches"
    int bytes;
    bytes = Traits::stages * 128; //~[sm_90] host-value-by-pass "`Traits::stages` is 2 on the host"
    sum<<<1, block, bytes>>>(out);
}

int main() {
    by_pointer(nullptr);
    by_array(nullptr);
    by_elements(nullptr);
    by_configuration(nullptr);
    by_occupancy(nullptr);
    by_members(nullptr);
}
