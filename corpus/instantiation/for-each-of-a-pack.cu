// A fold expression launches the kernel once for each type of a pack, and one of the types differs.
#ifdef __CUDA_ARCH__
using Accumulator = float;
#else
using Accumulator = double;
#endif

template <class T>
__global__ void warm(T *data) {
    *data = T(0);
}

template <class... Ts>
void warm_up() {
    (warm<Ts><<<1, 1>>>(nullptr), ...); //~[host] arch-dependent-instantiation "warm<double>"
}

int main() {
    warm_up<int, Accumulator>();
    return 0;
}
