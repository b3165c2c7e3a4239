// Only sm_90's pass instantiates the kernel template, for a launch in a function that the host runs: the launch is in no
// object file.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

void reset(int *data) {
#if __CUDA_ARCH__ >= 900
    clear<<<1, 1>>>(data); //~ host-code-behind-device-guard "host function `reset` has a kernel launch"
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
