// The sum of the sizes of a pack, one of whose types depends on the pass.
#ifdef __CUDA_ARCH__
typedef double accumulator_t;
#else
typedef float accumulator_t;
#endif

template <class... Ts>
struct Fields {
    static constexpr int kBytes = (0 + ... + static_cast<int>(sizeof(Ts)));
};

template <int Bytes>
__global__ void clear(unsigned char *data) {
    data[threadIdx.x % Bytes] = 0;
}

void run(unsigned char *data) {
    clear<Fields<int, accumulator_t>::kBytes><<<1, 32>>>(data); //~ arch-dependent-instantiation "clear<8>"
}
