// A feature macro that only device passes define guards a host launch, which never happens.
//@ targets: 90a
template <class T>
__global__ void wgmma(T *out) {
    *out = 1;
}

void run(int *out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    wgmma<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `run` has a kernel launch"
#endif
}

int main() {
    run(nullptr);
    return 0;
}
