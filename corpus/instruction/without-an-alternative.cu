// Nothing stands in for the instruction: to leave it out on sm_80 would make ptxas silent, and the result wrong.
//@ targets: 80,90
//@ nvcc: agrees because it makes PTX for sm_80 and does not assemble it
__global__ void announce(unsigned *out) {
    *out = 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("griddepcontrol.launch_dependents;"); //~[sm_80] unsupported-instruction "sm_90 and later have it"
#endif
}
