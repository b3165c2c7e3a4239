// Only sm_90's pass instantiates the kernel, in code that the host never runs: the host misses nothing.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

void reset(int *data) {
#if __CUDA_ARCH__ >= 900
    clear<<<1, 1>>>(data);
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
