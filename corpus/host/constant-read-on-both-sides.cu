// A constant that host and device read differs: the launch has the threads and the memory that the host knows, and nothing's
// name, type or layout depends on it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kThreads = 256;
#else
constexpr int kThreads = 128;
#endif

struct Traits {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr int kBlockM = 128;
#else
    static constexpr int kBlockM = 64;
#endif
    static constexpr int kSmem = kBlockM * 4;
};

__global__ void fill(int *out) {
    __shared__ int buffer[kThreads];
    buffer[threadIdx.x] = 1;
    *out = buffer[kThreads - 1];
}

template <class T>
__global__ void fill_block(int *out) {
    extern __shared__ int smem[];
    smem[T::kBlockM - 1] = 1;
    *out = smem[0];
}

int main() {
    fill<<<1, kThreads>>>((int *)nullptr); //~[sm_90] host-value-by-pass "`kThreads` is 128 on the host"
    fill_block<Traits><<<1, Traits::kBlockM, Traits::kSmem>>>((int *)nullptr); //~[sm_90] host-value-by-pass "`Traits::kBlockM` is 64" //~[sm_90] host-value-by-pass "`Traits::kSmem`"
    return 0;
}
