// ggml's style: derived macros and device constants in a header, used in kernel bodies only.
#include "features.cuh"

template <int Columns, bool Masked>
static __global__ void attention(const float *in, float *out) {
    if constexpr (tma_available()) {
        *out = *in * Columns;
    } else {
        *out = *in + Masked;
    }
#ifndef TMA_AVAILABLE
    *out += 1;
#endif
}

void run(const float *in, float *out, bool masked) {
    if (masked)
        attention<64, true><<<1, 32>>>(in, out);
    else
        attention<64, false><<<1, 32>>>(in, out);
}
