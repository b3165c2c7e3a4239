// What the macro gives goes by way of a macro of the project's and ends in a constant; still it is what was asked for.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define STAGES 4
#else
#define STAGES 2
#endif
__global__ void run(int *out) { *out = STAGES; }
