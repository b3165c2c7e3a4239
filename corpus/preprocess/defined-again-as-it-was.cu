// Both arms define the macros with the same tokens: other spaces, comments, line splices and names of arguments aside,
// there is one replacement list, or one result.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define ROUND_UP(value, to) ((((value) + (to) - 1) / (to)) * (to))
#define ELEMENT   unsigned /* 32 bits */ int
#define SIGNATURE(T) (const T *in, \
                      T *out)
#else
#define ROUND_UP(n, k) ((((n) + (k) - 1) / (k)) * (k))
#define ELEMENT unsigned int
#define SIGNATURE(Type) (const Type *in, Type *out)
#endif

template <int Block>
__global__ void copy SIGNATURE(ELEMENT) {
    out[threadIdx.x % Block] = in[threadIdx.x];
}

void run(const unsigned *in, unsigned *out) {
    copy<ROUND_UP(33, 32)><<<1, 64>>>(in, out);
}
