// One overload of the kernel exists in device passes only. The host calls the other one and finds it, and since it
// knows the name, nvcc's registration code for the overload compiles too.
__global__ void store(double value, int *out) {
    *out = static_cast<int>(value);
}
#ifdef __CUDA_ARCH__
__global__ void store(float value, int *out) {
    *out = static_cast<int>(value);
}
#endif

int main() {
    store<<<1, 1>>>(1.0f, (int *)nullptr);
    return 0;
}
