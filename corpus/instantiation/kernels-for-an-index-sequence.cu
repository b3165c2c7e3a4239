// A table of kernels for the numbers below a limit, listed as `std::make_index_sequence` does that. The limit differs.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr int count = 4;
#else
constexpr int count = 3;
#endif

template <class T, T... Numbers>
struct Sequence {};
template <class T, T Count>
using MakeSequence = Sequence<T, __integer_pack(Count)...>;
template <int... Numbers>
using Indices = Sequence<int, Numbers...>;

template <int Bits>
__global__ void unpack(unsigned *data) {
    data[0] >>= Bits;
}

using Unpack = void (*)(unsigned *);

template <int... Bits>
Unpack choose(int bits, Indices<Bits...>) {
    const Unpack all[] = {unpack<Bits>...}; //~[sm_80] arch-dependent-instantiation "unpack<3>"
    return all[bits];
}

void run(int bits, unsigned *data) {
    choose(bits, MakeSequence<int, count>())<<<1, 1>>>(data);
}
