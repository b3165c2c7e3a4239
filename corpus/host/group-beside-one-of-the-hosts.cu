// Host code in a group of its own says nothing about a group for some targets, nor about one at the end of a function.
__global__ void plain(int *out) {
    *out = 1;
}
__global__ void cluster(int *out) {
    *out = 2;
}

int run(int *out, int major) {
    int ways = 1;
#ifndef __CUDA_ARCH__
    ways = 2;
#endif
#if __CUDA_ARCH__ >= 900
    if (major >= 9) { //~ host-code-behind-device-guard "host function `run` has a kernel launch"
        cluster<<<1, 1>>>(out);
        return ways;
    }
#endif
    plain<<<1, 1>>>(out);
    return ways;
}

bool has_clusters(int major) {
    if (major < 9)
        return false;
#if __CUDA_ARCH__ >= 900
    return true; //~ host-code-behind-device-guard "host function `has_clusters` has statements"
#endif
}
