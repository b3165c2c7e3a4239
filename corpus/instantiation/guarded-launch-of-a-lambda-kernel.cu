// An extended lambda and the launch that takes it exist on the host only.
template <class F>
__global__ void for_one(F body, int *out) {
    *out = body();
}

void run(int *out) {
#ifndef __CUDA_ARCH__
    auto four = [] __device__ { return 4; };
    for_one<<<1, 1>>>(four, out); //~ arch-dependent-instantiation "for_one"
#endif
}
