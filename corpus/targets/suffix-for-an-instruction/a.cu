// No macro asks for the suffix, but an instruction of a template that the build instantiates for sm_90a alone does.
template <int N>
__global__ void run(int *out) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
}
