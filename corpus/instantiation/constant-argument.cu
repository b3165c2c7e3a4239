// The block size is a template argument and differs by pass: sm_90 has `scan<256>`, the host launches `scan<128>`.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kThreads = 256;
#else
constexpr int kThreads = 128;
#endif

template <int Threads>
__global__ void scan(int *out) {
    *out = Threads;
}

int main() {
    scan<kThreads><<<1, kThreads>>>((int *)nullptr); //~[sm_90] arch-dependent-instantiation "scan"
    return 0;
}
