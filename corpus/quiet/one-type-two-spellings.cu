// `signed` and `int` are one type, and so are the two spellings of `unsigned long`.
#ifdef __CUDA_ARCH__
typedef signed value_t;
typedef long unsigned int size_type;
#else
typedef int value_t;
typedef unsigned long size_type;
#endif

__device__ size_type total;

__global__ void add(value_t value, value_t *out) {
    *out = value;
    total = 1;
}

int main() {
    add<<<1, 1>>>(1, nullptr);
    return 0;
}
