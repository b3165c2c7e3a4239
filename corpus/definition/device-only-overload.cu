// One overload of the kernel exists in device passes only. The host calls the other one, and finds it.
__global__ void store(double value, int *out) {
    *out = static_cast<int>(value);
}
#ifdef __CUDA_ARCH__
__global__ void store(float value, int *out) { //~[sm_80,sm_90] arch-dependent-definition "store"
    *out = static_cast<int>(value);
}
#endif

int main() {
    store<<<1, 1>>>(1.0f, (int *)nullptr);
    return 0;
}
