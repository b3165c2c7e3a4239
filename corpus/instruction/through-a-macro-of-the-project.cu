// The condition is two macros away from the architecture's number, and the opcode is pasted of literals.
//@ targets: 80,90,100a
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define PROJECT_SM90 1
#endif

template <int Registers>
__device__ void more_registers() {
#if PROJECT_SM90
    asm volatile("setmaxnreg" ".inc.sync.aligned.u32 %0;" : : "n"(Registers)); //~[sm_90] unsupported-instruction "setmaxnreg"
#endif
}

__global__ void run() {
    more_registers<232>();
}
