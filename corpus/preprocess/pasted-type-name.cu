// The type's name is pasted together from the architecture's number.
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define SUFFIX _hopper
#else
#define SUFFIX _generic
#endif

struct plan_generic {
    int steps;
};
struct plan_hopper {
    int steps;
};

__global__ void execute(PASTE(plan, SUFFIX) plan, int *out) { //~[sm_90] arch-dependent-signature "execute"
    *out = plan.steps;
}

void run(int *out) {
    execute<<<1, 1>>>({1}, out);
}
