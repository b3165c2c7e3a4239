// A local's type depends on the pass, and the kernel's argument is deduced from it: sm_90 has the instantiation for a
// pointer to const, the host launches the other.
template <class T, class P>
__global__ void load(P source, T *out) {
    *out = T(*source);
}

void run(int *source, float *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const int *pointer = source;
#else
    int *pointer = source;
#endif
    load<<<1, 1>>>(pointer, out); //~[sm_90] arch-dependent-instantiation "load"
}
