// Both arms define the kernel template, but one with a parameter more: the same launch means `reduce<float, 4>` in
// one pass and `reduce<float>` in another. One cause, one finding.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <class T, int Unroll = 4>
__global__ void reduce(T *values) { //~[sm_80] arch-dependent-signature "reduce"
    *values = T(Unroll);
}
#else
template <class T>
__global__ void reduce(T *values) {
    *values = T(0);
}
#endif

int main() {
    reduce<float><<<1, 1>>>(nullptr);
    return 0;
}
