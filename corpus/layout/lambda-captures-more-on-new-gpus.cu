// What a lambda captures by default is what its body uses, and this body uses one variable more on sm_90: the
// closure that the host fills has no room for it.
template <class F>
__global__ void apply(F body, float *data) {
    data[threadIdx.x] = body(data[threadIdx.x]);
}

void scale(float *data) {
    float factor = 0.5f;
    double bias = 2;
    auto step = [=] __device__(float value) { //~[host,sm_80] arch-dependent-layout "lambda"
#if __CUDA_ARCH__ >= 900
        return static_cast<float>(bias) + value * factor;
#else
        return value * factor;
#endif
    };
    apply<<<1, 32>>>(step, data);
}
