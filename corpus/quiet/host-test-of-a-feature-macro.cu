// A feature macro that only device passes define guards a host launch. The launch never happens, and no host code
// misses a kernel.
//@ targets: 90a
template <class T>
__global__ void wgmma(T *out) {
    *out = 1;
}

void run(int *out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    wgmma<<<1, 1>>>(out);
#endif
}

int main() {
    run(nullptr);
    return 0;
}
