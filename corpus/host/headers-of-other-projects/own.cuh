#pragma once

inline __device__ int own_total(int value) {
#if __CUDA_ARCH__ == 800 //~[sm_90] guard-misses-target "from sm_90"
    value = __reduce_add_sync(~0u, value);
#endif
    return value;
}

#if __CUDA_ARCH__ >= 900
#define own_THREADS 1024
#else
#define own_THREADS 256
#endif

inline __global__ void own_sum(const int *in, int *out) {
#if _CUDA_ARCH__ >= 900 //~ misspelt-arch-macro "`__CUDA_ARCH__` is the macro"
    out += 1;
#endif
    __shared__ int partial[own_THREADS];
    partial[threadIdx.x] = in[threadIdx.x];
    *out = own_total(partial[0]);
}

template <class F>
void own_for_each(int count, F body);

inline void own_run(float *data, int count, int major, const int *in, int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    own_for_each(count, [=] __device__(int index) { data[index] = 1; }); //~ arch-in-closure "1 extended lambda"
#endif
    own_for_each(count, [=] __device__(int index) { data[index] *= 2; });
#if __CUDA_ARCH__ >= 900
    if (major >= 9) { //~ host-code-behind-device-guard "has a kernel launch"
        own_sum<<<1, 512>>>(in, out);
        return;
    }
#endif
    own_sum<<<1, own_THREADS>>>(in, out); //~ host-value-by-pass "`own_THREADS` is 256 on the host"
}

#if __CUDA_ARCH__ >= 900
constexpr int own_stages = 4;
#else
constexpr int own_stages = 1;
#endif
static_assert(own_stages >= 2, "the pipeline of own has two stages"); //~ pass-only-failure "static_assert"
