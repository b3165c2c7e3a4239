// `__CUDA_ARCH_LIST__` names all targets of the unit and is the same in all its passes: the host may use it.
template <int Arch>
__global__ void tuned(int *out) {
    *out = Arch;
}

template <int... Archs>
void run(int *out) {
    (tuned<Archs><<<1, 1>>>(out), ...);
}

int main() {
    run<__CUDA_ARCH_LIST__>(nullptr);
    return 0;
}
