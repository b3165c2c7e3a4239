// The kernel's argument is `Policy<>`, and the policy's own default differs.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define POLICY_STAGES 4
#else
#define POLICY_STAGES 2
#endif

template <int Stages = POLICY_STAGES>
struct Policy {
    static constexpr int stages = Stages;
};

template <class P>
__global__ void pipeline(int *out) {
    *out = P::stages;
}

int main() {
    pipeline<Policy<>><<<1, 1>>>((int *)nullptr); //~ arch-dependent-instantiation "pipeline"
    return 0;
}
