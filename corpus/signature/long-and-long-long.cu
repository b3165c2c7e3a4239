// `long` and `long long` have the same size here but are different types with different mangled names.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef long long index_t;
#else
typedef long index_t;
#endif

__global__ void count(index_t limit, int *out) { //~ arch-dependent-signature "count"
    *out = static_cast<int>(limit);
}

int main() {
    count<<<1, 1>>>(1, nullptr);
    return 0;
}
