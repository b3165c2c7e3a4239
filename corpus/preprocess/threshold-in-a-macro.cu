// The threshold has a name, and the test is a function-like macro.
#define CC_VOLTA 700
#define CC_HOPPER 900
#ifdef __CUDA_ARCH__
#define CURRENT_CC __CUDA_ARCH__
#else
#define CURRENT_CC CC_VOLTA
#endif
#define SUPPORTS(cc) (CURRENT_CC >= (cc))

#if SUPPORTS(CC_HOPPER)
using index_t = long long;
#else
using index_t = int;
#endif

__global__ void seek(index_t index, int *out) { //~[sm_90] arch-dependent-signature "seek"
    *out = static_cast<int>(index);
}

void run(int *out) {
    seek<<<1, 1>>>(0, out);
}
