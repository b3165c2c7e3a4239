// What a body does on which GPU is the author's business: names, types and instantiations are the same.
__global__ void reduce(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    *out = 1;
#endif
}

template <class T>
__global__ void scan(T *out) {
#if __CUDA_ARCH__ >= 900
    *out = T(1);
#elif __CUDA_ARCH__ >= 800
    *out = T(2);
#else
    *out = T(3);
#endif
}

int main() {
    reduce<<<1, 1>>>(nullptr);
    scan<<<1, 1>>>((int *)nullptr);
    return 0;
}
