// An `extern "C"` kernel has one name whatever its parameters are, so nothing fails to be found: the GPU
// reads eight bytes of floating point where the host stored a four-byte integer.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef double threshold_t;
#else
typedef int threshold_t;
#endif

extern "C" __global__ void clip(threshold_t threshold, int offset, int *out) { //~[sm_90] arch-dependent-signature "clip"
    *out = static_cast<int>(threshold) + offset;
}

int main() {
    clip<<<1, 1>>>(1, 2, nullptr);
    return 0;
}
