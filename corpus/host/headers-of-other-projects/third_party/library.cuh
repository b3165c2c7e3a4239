// Of another project: nothing here is for this one to mend.
#pragma once

inline __device__ int library_total(int value) {
#if __CUDA_ARCH__ == 800
    value = __reduce_add_sync(~0u, value);
#endif
    return value;
}

#if __CUDA_ARCH__ >= 900
#define library_THREADS 1024
#else
#define library_THREADS 256
#endif

inline __global__ void library_sum(const int *in, int *out) {
#if _CUDA_ARCH__ >= 900
    out += 1;
#endif
    __shared__ int partial[library_THREADS];
    partial[threadIdx.x] = in[threadIdx.x];
    *out = library_total(partial[0]);
}

template <class F>
void library_for_each(int count, F body);

inline void library_run(float *data, int count, int major, const int *in, int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    library_for_each(count, [=] __device__(int index) { data[index] = 1; });
#endif
    library_for_each(count, [=] __device__(int index) { data[index] *= 2; });
#if __CUDA_ARCH__ >= 900
    if (major >= 9) {
        library_sum<<<1, 512>>>(in, out);
        return;
    }
#endif
    library_sum<<<1, library_THREADS>>>(in, out);
}

#if __CUDA_ARCH__ >= 900
constexpr int library_stages = 4;
#else
constexpr int library_stages = 1;
#endif
static_assert(library_stages >= 2, "the pipeline of library has two stages");
