// The lambda and the launch stand under the host's guard: no device pass has either.
template <class F>
__global__ void apply(F body, int *out) {
    out[threadIdx.x] = body(threadIdx.x);
}

void enumerate(int *out) {
#ifndef __CUDA_ARCH__
    auto square = [] __device__(int index) { return index * index; };
    apply<<<1, 16>>>(square, out); //~[host] arch-dependent-instantiation "apply"
#endif
}
