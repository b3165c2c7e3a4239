// The launch names no argument at all; the kernel template's default differs by pass.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DEFAULT_STAGES 4
#else
#define DEFAULT_STAGES 2
#endif

template <class T, int Stages = DEFAULT_STAGES>
__global__ void pipeline(T *out) {
    *out = Stages;
}

int main() {
    pipeline<<<1, 1>>>((int *)nullptr); //~ arch-dependent-instantiation "pipeline"
    return 0;
}
