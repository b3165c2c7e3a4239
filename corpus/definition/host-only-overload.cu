// One overload of the kernel exists on the host only, and that is the one the host launches.
__global__ void store(double value, int *out) {
    *out = static_cast<int>(value);
}
#ifndef __CUDA_ARCH__
__global__ void store(float value, int *out) { //~[host] arch-dependent-definition "store"
    *out = static_cast<int>(value);
}
#endif

int main() {
    store<<<1, 1>>>(1.0f, (int *)nullptr);
    return 0;
}
