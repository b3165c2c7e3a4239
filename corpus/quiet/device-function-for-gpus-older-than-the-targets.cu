// A substitute for what GPUs before sm_60 lack: with newer targets only the host's pass has it, which makes no code of
// a function for GPUs. The targets agree.
//@ rdc
//@ targets: 80,90
#if __CUDA_ARCH__ < 600
__device__ double add_atomically(double *address, double value) {
    double old = *address;
    *address = old + value;
    return old;
}
#endif
__global__ void sum(double *total, const double *values) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
    atomicAdd(total, values[threadIdx.x]);
#else
    add_atomically(total, values[threadIdx.x]);
#endif
}
int main() {
    sum<<<1, 32>>>(nullptr, nullptr);
    return 0;
}
