// Without `defined`, the comparison is false on the host: the launch below names nothing there.
#if __CUDA_ARCH__ >= 800
__global__ void stage(int *out) { //~[host] arch-dependent-definition "stage"
    *out = 1;
}
#endif

int main() {
    stage<<<1, 1>>>((int *)nullptr);
    return 0;
}
