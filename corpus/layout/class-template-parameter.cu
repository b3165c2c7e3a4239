// The parameter block is a specialization of a class template with a member for new GPUs only.
template <class T>
struct Arguments { //~ arch-dependent-layout "Arguments"
    T *data;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned long long barrier;
#endif
    int count;
};

__global__ void consume(Arguments<float> arguments) {
    arguments.data[0] = arguments.count;
}

void run(float *data) {
    consume<<<1, 1>>>(Arguments<float>{});
}
