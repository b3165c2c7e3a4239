// The kernel has no `__global__` of its own: a macro writes the whole head. Its element type differs.
//@ targets: 75,80
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
using elem_t = long long;
#else
using elem_t = int;
#endif

#define FLASH_KERNEL(name) extern "C" __global__ void __launch_bounds__(128) name(elem_t *out, int rows)

FLASH_KERNEL(forward) { //~[sm_80] arch-dependent-signature "forward"
    *out = rows;
}

int main() {
    forward<<<1, 1>>>(nullptr, 1);
    return 0;
}
