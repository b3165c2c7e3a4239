// Where the kernel is not made for a GPU, the program says so. To keep the failure and drop the launch is no fix.
//@ targets: 75,80
template <class T>
__global__ void attend(T *out) {
    out[threadIdx.x] = T(1);
}

void fail(const char *why);

template <class T>
void run(T *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    attend<T><<<1, 32>>>(out); //~[sm_75] arch-dependent-instantiation "attend"
#else
    fail("needs a GPU of 8.0");
#endif
}

template void run<float>(float *);
