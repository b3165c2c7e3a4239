// What sm_90 was the first to have stands where only older targets come; and between two bounds it stands where sm_80
// comes, which lacks it.
//@ targets: 80,90
//@ nvcc: agrees because it makes PTX for sm_80 and does not assemble it
template <int Width>
__device__ void wait() {
#if __CUDA_ARCH__ >= 900
    __syncthreads();
#else
    asm volatile("griddepcontrol.wait;" ::: "memory"); //~[sm_80] unsupported-instruction "griddepcontrol.wait"
#endif
}

template <int Width>
__device__ void launch_dependents() {
#if __CUDA_ARCH__ >= 800
#if __CUDA_ARCH__ >= 1000
    __syncthreads();
#else
    asm volatile("griddepcontrol.launch_dependents;"); //~[sm_80] unsupported-instruction "griddepcontrol.launch_dependents"
#endif
#endif
}

__global__ void run(unsigned *out) {
    wait<1>();
    launch_dependents<1>();
}
