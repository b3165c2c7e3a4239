// A `constexpr` function with a loop, local variables and a recursion: what it is given depends on the pass, what it
// gives does not.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kThreads = 224;
#else
constexpr int kThreads = 129;
#endif

constexpr int round_up(int value) {
    int power = 1;
    while (power < value) power *= 2;
    return power;
}

constexpr int count_bits(unsigned value) {
    int bits = 0;
    for (; value != 0; value &= value - 1) ++bits;
    return bits;
}

constexpr int log2_of(int value) {
    return value > 1 ? 1 + log2_of(value / 2) : 0;
}

template <int Block, int Bits, int Levels>
__global__ void sort(int *data) {
    data[threadIdx.x % Block] = Bits + Levels;
}

void run(int *data) {
    sort<round_up(kThreads), count_bits(round_up(kThreads)), log2_of(kThreads)><<<1, 256>>>(data);
}
