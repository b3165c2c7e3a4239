// What the body uses differs, but the captures are named, so that the closure is the same in every pass. So it is
// where what comes besides is no local variable, and where both arms use the same things first.
constexpr int kWide = 8;

template <class F>
__global__ void apply(F body, int *out) {
    out[threadIdx.x] = body(threadIdx.x);
}

void fill(int *out) {
    int start = 10;
    int stride = 4;
    static const int kOffset = 3;
    auto named = [start, stride] __device__(int index) {
#if __CUDA_ARCH__ >= 900
        return start + stride * index;
#else
        return stride * index;
#endif
    };
    apply<<<1, 32>>>(named, out);
    auto from_outside = [=] __device__(int index) {
#if __CUDA_ARCH__ >= 900
        return start + index * kWide + kOffset;
#else
        return start + index;
#endif
    };
    apply<<<1, 32>>>(from_outside, out);
    apply<<<1, 32>>>([=] __device__(int index) {
        int first = start, second = stride;
#if __CUDA_ARCH__ >= 900
        return second + first * index;
#else
        return first + index;
#endif
    }, out);
}

// A type and a namespace that only one arm names are captured by nobody.
namespace sizes {
constexpr int kStep = 2;
}

void widen(int *out) {
    unsigned int start = 3;
    apply<<<1, 32>>>([=] __device__(int index) {
#if __CUDA_ARCH__ >= 900
        return int(start) + index * sizes::kStep;
#else
        return (int)start + index;
#endif
    }, out);
}
