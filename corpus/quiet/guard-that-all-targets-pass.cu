// Half precision begins with sm_53, and every target in force has it: host and devices enter alike, also through a
// macro that a header derives.
//@ targets: 75,80,90
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 530
#define HALF_AVAILABLE 1
#endif

#ifdef HALF_AVAILABLE
typedef unsigned short storage_t;

template <class T>
__global__ void widen(const storage_t *in, T *out) {
    out[threadIdx.x] = static_cast<T>(in[threadIdx.x]);
}

__constant__ storage_t one = 0x3c00;
#endif

void run(const storage_t *in, float *out) {
#if HALF_AVAILABLE
    widen<<<1, 32>>>(in, out);
#endif
}
