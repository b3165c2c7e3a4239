// Four arms, three answers: the arms of sm_75 and of the host agree.
//@ targets: 75,80,90
#if !defined(__CUDA_ARCH__)
#define WIDTH 1
#elif __CUDA_ARCH__ >= 900
#define WIDTH 4
#elif __CUDA_ARCH__ >= 800
#define WIDTH 2
#else
#define WIDTH 1
#endif

template <int Width>
__global__ void load(float *out) {
    *out = Width;
}

void run(float *out) {
    load<WIDTH><<<1, 1>>>(out); //~ arch-dependent-instantiation "load"
}
