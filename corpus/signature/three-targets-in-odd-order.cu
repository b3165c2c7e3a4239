// nvcc takes the host's stubs from the last target named, here sm_80, whose types agree with the host's;
// the kernel for sm_90 still has another name.
//@ targets: 75,90,80
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using accum_t = double;
#else
using accum_t = int;
#endif

__global__ void accumulate(accum_t value, accum_t *sum) { //~[host,sm_75,sm_80] arch-dependent-signature
    *sum += value;
}

int main() {
    accumulate<<<1, 1>>>(1, nullptr);
    return 0;
}
