// Directives and guards in comments, strings, raw strings and text that no pass reads are no directives.
/*
#if __CUDA_ARCH__ >= 900
typedef double value_t;
#endif
*/
// #ifdef __CUDA_ARCH__ \
typedef double value_t;
#if 0
#ifdef __CUDA_ARCH__
typedef double value_t;
#endif
don't mind the apostrophe
#endif
typedef float value_t;

const char *plain = "#if __CUDA_ARCH__ >= 900";
const char *raw = R"x(
#if defined(__CUDA_ARCH__)
typedef double value_t;
#endif
)" )x";
const int separated = 1'000'000;

__device__ value_t last;

template <class T>
__global__ void store(T value) {
    last = value; /* #ifdef __CUDA_ARCH__ */
}

int main() {
    store<value_t><<<1, 1>>>(1); // #endif
    return 0;
}
