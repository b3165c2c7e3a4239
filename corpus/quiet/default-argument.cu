// A default argument is the caller's, and the host alone calls.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DEFAULT_COUNT 2
#else
#define DEFAULT_COUNT 1
#endif

__global__ void repeat(int *out, int count = DEFAULT_COUNT) {
    *out = count;
}

int main() {
    repeat<<<1, 1>>>(nullptr);
    return 0;
}
