// Extended lambdas are told apart by their number in the function around. A lambda that only device passes have makes
// the one that is launched the second there and the first on the host.
//@ rdc
template <class F>
__global__ void for_each_index(F body, float *data) {
    body(data, threadIdx.x);
}

__host__ __device__ void relax(float *data) {
#if defined(__CUDA_ARCH__)
    auto clamp = [] __device__(float value) { return value < 0 ? 0 : value; };
    data[0] = clamp(data[0]);
#endif
    auto halve = [] __device__(float *all, int index) { all[index] *= 0.5f; };
    for_each_index<<<1, 32>>>(halve, data); //~[host] arch-dependent-instantiation "for_each_index"
}

int main() {
    relax(nullptr);
    return 0;
}
