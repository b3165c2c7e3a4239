// Only the host names the kernel, as the argument of a class template whose object is never used.
template <class T>
__global__ void reduce(T *data) {
    *data += T(1);
}

template <auto Kernel>
struct Plan {
    int blocks = 1;
};

int main() {
#ifndef __CUDA_ARCH__
    Plan<reduce<float>> plan; //~[host] arch-dependent-instantiation "reduce<float>"
    return plan.blocks;
#else
    return 0;
#endif
}
