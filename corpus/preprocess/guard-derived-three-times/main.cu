// From `__CUDA_ARCH__` to a number, from the number to a condition, from the condition to a type, in three files.
//@ include: include
//@ include: .
#include "features.cuh"

#if HAS_CLUSTERS
using rank_t = unsigned long long;
#else
using rank_t = unsigned;
#endif

__global__ void rank(rank_t first, rank_t *out) { //~[sm_90] arch-dependent-signature "rank"
    *out = first;
}

void run(rank_t *out) {
    rank<<<1, 1>>>(0, out);
}
