// PTX is no assembly of the host's, whatever macro says that nvcc compiles the source.
//@ nvcc: disagrees because the assembler of the host rejects the PTX, and names nothing
__host__ __device__ int lane() {
#ifdef __CUDACC__
    int id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id)); //~[host] pass-only-failure "`asm` stops the compilation for the host"
    return id;
#else
    return 0;
#endif
}

__global__ void fill(int *out) {
    *out = lane();
}
