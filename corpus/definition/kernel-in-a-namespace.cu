// A namespace opened under the guard hides its kernel and its constant table alike: two things to be missed.
namespace gpu {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace hopper {
__constant__ float weights[16]; //~ arch-dependent-definition "weights"

__global__ void weigh(float *out) { //~ arch-dependent-definition "weigh"
    *out = weights[threadIdx.x];
}
}
#endif
}

int main() {
    return 0;
}
