// A feature test without `defined`: false on the host, true on every target.
#if __CUDA_ARCH__ >= 800
#define HAS_ASYNC_COPY true
#else
#define HAS_ASYNC_COPY false
#endif

template <bool Async>
__global__ void stage(int *out) {
    *out = Async;
}

int main() {
    stage<HAS_ASYNC_COPY><<<1, 1>>>((int *)nullptr); //~[sm_80,sm_90] arch-dependent-instantiation "stage"
    return 0;
}
