// The argument that differs passes through a host function template on its way to the kernel.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define STAGES 4
#else
#define STAGES 2
#endif

template <int S>
__global__ void multiply(int *out) {
    *out = S;
}

template <int S>
void launch_multiply(int *out) {
    multiply<S><<<1, 1>>>(out); //~ arch-dependent-instantiation "multiply"
}

int main() {
    launch_multiply<STAGES>(nullptr);
    return 0;
}
