// Array bounds and bit-field widths are spelled in other ways and come out the same.
#ifdef __CUDA_ARCH__
#define LANES 32
enum { kBits = 5 };
#else
#define LANES (1 << 5)
constexpr int kBits = sizeof(int) + 1;
#endif

template <int N>
struct Votes {
    unsigned of[N];
};

struct Ballot {
    unsigned char counts[LANES];
    Votes<LANES / 4> votes;
    unsigned lane : kBits;
    unsigned leader : LANES / 6;
};

__global__ void count(Ballot ballot, unsigned *out) {
    *out = ballot.counts[ballot.lane] + ballot.votes.of[0];
}

void run(Ballot ballot, unsigned *out) {
    count<<<1, 1>>>(ballot, out);
}
