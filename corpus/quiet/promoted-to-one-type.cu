// The operands have other types in other passes, and integral promotion and the usual arithmetic conversions make one
// type of them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef short count_t;
typedef unsigned char flag_t;
#define ONE 1
#else
typedef signed char count_t;
typedef bool flag_t;
#define ONE 1l
#endif

using sum_t = decltype(count_t() + flag_t());
using mean_t = decltype(count_t() * 1.0f);
using bit_t = decltype(ONE + 1ll);

template <class T>
__global__ void reduce(sum_t sum, mean_t mean, T *out) {
    *out = sum + mean;
}

void run(float *out, long long *wide) {
    reduce<<<1, 1>>>(3, 0.5f, out);
    reduce<bit_t><<<1, 1>>>(3, 0.5f, wide);
}
