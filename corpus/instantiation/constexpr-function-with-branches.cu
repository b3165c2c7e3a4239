// The argument comes from a constexpr function with a default argument and an `if` that depends on the macro's value.
#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif

constexpr int stages(int arch, int most = 4) {
    if (arch >= 900) {
        return most;
    } else if (arch == 800) {
        return most - 1;
    }
    return 2;
}

template <int Stages>
__global__ void pipeline(int *out) {
    *out = Stages;
}

int main() {
    pipeline<stages(ARCH)><<<1, 1>>>(nullptr); //~[host] arch-dependent-instantiation "pipeline<2>"
    return 0;
}
