// Operators and conversions of which a macro whose header was not found may say that devices have them, and those that do say so;
// each defined outside of its class and behind a guard, or with one in it.
//@ nvcc: disagrees because it needs the header that is missing
//@ targets: 80,90
#include "portable.h"

struct Line {
    operator int() const;
    __host__ __device__ operator float *();
    bool operator<(const Line &other) const;
    int length;
};

PORTABLE_CALL Line::operator int() const {
#ifdef __CUDA_ARCH__
    if (length > 1) return 1;
#endif
    return length;
}

#if __CUDA_ARCH__ >= 900
Line::operator float *() {
    return nullptr;
}
#endif

#ifdef __CUDA_ARCH__
PORTABLE_CALL bool Line::operator<(const Line &other) const {
    return length < other.length;
}
#endif

PORTABLE_CALL bool operator==(const Line &one, const Line &other) {
#ifdef __CUDA_ARCH__
    if (one.length < 0) return false;
#endif
    return one.length == other.length;
}
