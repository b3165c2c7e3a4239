// The kernel is defined for the host alone. Nobody launches it in this unit; another unit may.
#ifndef __CUDA_ARCH__
__global__ void initialise(int *out) { //~[sm_80,sm_90] arch-dependent-definition "initialise"
    *out = 1;
}
#endif

int main() {
    return 0;
}
