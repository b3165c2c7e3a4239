// Texture objects are numbers, and the same in every pass; what reads them is guarded in the body.
typedef unsigned long long texture_handle;

struct Sampler {
    texture_handle texture;
    float2 scale;
};

template <class T>
__global__ void sample(Sampler sampler, T *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    *out = T(sampler.scale.x);
#else
    *out = T(sampler.scale.y);
#endif
}

void run(Sampler sampler, float *out) {
    sample<<<1, 1>>>(sampler, out);
}
