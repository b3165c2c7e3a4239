// A kernel's parameter is `double` on sm_90 and `int` elsewhere: sm_90's fat binary has no kernel of the
// name the host was compiled with.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using accum_t = double;
#else
using accum_t = int;
#endif

__global__ void accumulate(accum_t value, accum_t *sum) { //~[sm_90] arch-dependent-signature "accumulate"
    *sum += value;
}

int main() {
    accumulate<<<1, 1>>>(1, nullptr);
    return 0;
}
