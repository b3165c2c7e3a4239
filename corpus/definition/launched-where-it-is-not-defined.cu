// The kernel exists for GPUs only and the host launches it: the one of these mistakes that every compiler reports.
#ifdef __CUDA_ARCH__
__global__ void blend(float *out) { //~[host] arch-dependent-definition "blend"
    *out = 0.5f;
}
#endif

void run(float *out) {
    blend<<<1, 1>>>(out);
}
