// A host function that chooses by `__CUDA_ARCH__` what it launches, with a group for the host: that one is all there is, on
// every GPU. Three projects repaired such a choice. A function that a macro or `__device__` gives to devices may launch there.
//@ targets: 80,90
//@ rdc
__global__ void plain(int *out) {
    *out = 1;
}
__global__ void cluster(int *out) {
    *out = 2;
}
void launch_cluster(int *out) {
    cluster<<<1, 1>>>(out);
}
void launch_plain(int *out) {
    plain<<<1, 1>>>(out);
}

void launches(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cluster<<<1, 1>>>(out); //~ host-code-behind-device-guard "host function `launches` has a kernel launch"
#else
    plain<<<1, 1>>>(out);
#endif
}

void calls(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
    launch_cluster(out); //~ host-code-behind-device-guard "host function `calls` has statements"
#else
    launch_plain(out);
#endif
}

bool asks_for_devices(int *out) {
#ifdef __CUDA_ARCH__
    launch_cluster(out);
    return true;
#else
    launch_plain(out);
    return false;
#endif
}

#define BOTH_SIDES __host__ __device__
BOTH_SIDES void on_both(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cluster<<<1, 1>>>(out);
#else
    plain<<<1, 1>>>(out);
#endif
}

int ways() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return 2;
#else
    return 1;
#endif
}
