// The host always takes the `#else`. Every pass has the same kernels, but a launch gets too little memory on new GPUs.
int shared_bytes() {
#if __CUDA_ARCH__ >= 900 //~[host,sm_80] misspelt-arch-macro "host function `shared_bytes` always takes `#else`"
    return 227 * 1024;
#else
    return 48 * 1024;
#endif
}

__global__ void work(int *out) {
    *out = 1;
}

int main() {
    work<<<1, 32, shared_bytes()>>>((int *)nullptr);
    return 0;
}
