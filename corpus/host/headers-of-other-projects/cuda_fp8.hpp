/*
 * Copyright NVIDIA Corporation: as the toolkit's headers begin.
 *
 * NOTICE TO LICENSEE: this stands for a copy of one.
 */
#pragma once

inline __device__ int toolkit_total(int value) {
#if __CUDA_ARCH__ == 800
    value = __reduce_add_sync(~0u, value);
#endif
    return value;
}

#if __CUDA_ARCH__ >= 900
#define toolkit_THREADS 1024
#else
#define toolkit_THREADS 256
#endif

inline __global__ void toolkit_sum(const int *in, int *out) {
#if _CUDA_ARCH__ >= 900
    out += 1;
#endif
    __shared__ int partial[toolkit_THREADS];
    partial[threadIdx.x] = in[threadIdx.x];
    *out = toolkit_total(partial[0]);
}

template <class F>
void toolkit_for_each(int count, F body);

inline void toolkit_run(float *data, int count, int major, const int *in, int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    toolkit_for_each(count, [=] __device__(int index) { data[index] = 1; });
#endif
    toolkit_for_each(count, [=] __device__(int index) { data[index] *= 2; });
#if __CUDA_ARCH__ >= 900
    if (major >= 9) {
        toolkit_sum<<<1, 512>>>(in, out);
        return;
    }
#endif
    toolkit_sum<<<1, toolkit_THREADS>>>(in, out);
}

#if __CUDA_ARCH__ >= 900
constexpr int toolkit_stages = 4;
#else
constexpr int toolkit_stages = 1;
#endif
static_assert(toolkit_stages >= 2, "the pipeline of toolkit has two stages");
