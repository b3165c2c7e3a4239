// The macro's value is itself the argument, 0 on the host: no GPU has the kernel that the host launches.
#ifdef __CUDA_ARCH__
constexpr int kArch = __CUDA_ARCH__;
#else
constexpr int kArch = 0;
#endif

template <int Arch>
__global__ void tuned(int *out) {
    *out = Arch;
}

int main() {
    tuned<kArch><<<1, 1>>>((int *)nullptr); //~[host] arch-dependent-instantiation "tuned"
    return 0;
}
