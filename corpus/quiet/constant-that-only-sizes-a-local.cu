// The value that differs reaches an argument of a device class template, in a body: no kernel is named by it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kStages = 4;
#else
constexpr int kStages = 2;
#endif

template <int Stages>
struct Pipeline {
    int slots[Stages];
};

__global__ void work(int *out) {
    Pipeline<kStages> pipeline{};
    *out = pipeline.slots[0];
}

int main() {
    work<<<1, 1>>>((int *)nullptr);
    return 0;
}
