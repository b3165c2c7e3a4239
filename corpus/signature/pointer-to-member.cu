// The class whose member a kernel gets a pointer to is part of the kernel's name.
struct Wide {
    float *data;
    float scale;
};
struct Narrow {
    float *data;
    float scale;
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Plan = Wide;
#else
using Plan = Narrow;
#endif

__global__ void fill(float *out, float Plan::*member) { //~[sm_80] arch-dependent-signature "`fill` takes `(float *, float Narrow::*)`"
    *out = member != nullptr;
}

void run(float *out) {
    fill<<<1, 1>>>(out, &Plan::scale);
}
