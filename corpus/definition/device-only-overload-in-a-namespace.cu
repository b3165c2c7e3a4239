// An overload that only device passes have, in a namespace: nvcc's registration code defines it outside, which C++
// allows for what the namespace declares only. At global scope the same program builds.
namespace store {
template <class T>
__global__ void put(T value, int *out) {
    *out = static_cast<int>(value);
}
#ifdef __CUDA_ARCH__
__global__ void put(float value, int *out) { //~[sm_80,sm_90] arch-dependent-definition "put"
    *out = static_cast<int>(value);
}
#endif
}

void run(int *out) {
    store::put<double><<<1, 1>>>(1.0, out);
}
