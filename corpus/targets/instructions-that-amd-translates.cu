// Inline PTX is SCALE's to translate on a GPU of AMD's: NVIDIA's tables say nothing of it, neither for a GPU that is
// named itself nor about the number that stands for it. The pass of a GPU of NVIDIA's that lacks it is told; the passes
// agree about the kernel.
//@ nvcc: agrees because it makes PTX for sm_75 and does not assemble it
//@ targets: 75,gfx1100
__global__ void copy(int *shared, const int *global) {
#ifdef __AMDGCN__
    asm volatile("cp.async.wait_all;\n" ::: "memory");
#endif
#ifndef __AMDGCN__
    asm volatile("cp.async.wait_all;\n" ::: "memory"); //~[sm_75] unsupported-instruction "`cp.async.wait_all`"
#endif
}
