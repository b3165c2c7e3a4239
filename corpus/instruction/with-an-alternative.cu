// The comparison names the wrong GPU: sm_80 gets an instruction of sm_90's, and there is code for the others.
//@ targets: 80,90
//@ nvcc: agrees because it makes PTX for sm_80 and does not assemble it
__global__ void arrive(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("griddepcontrol.wait;"); //~[sm_80] unsupported-instruction "sm_90 and later have it"
#else
    *out = 0;
#endif
}
