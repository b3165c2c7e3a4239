// A specifier of functions that the project gives a meaning of its own only where a header of its configuration did not. That
// header was not found: it may say that devices have the functions, and the code behind the guards is theirs.
//@ nvcc: disagrees because it needs the header that is missing
//@ targets: 80,90
#include "configuration.h"

#if !defined(PORTABLE_INLINE)
#define PORTABLE_INLINE inline
#endif

template <class F>
PORTABLE_INLINE void single(const F &body) {
#ifdef __CUDA_ARCH__
    if (threadIdx.x == 0) body();
#endif
}

#if __CUDA_ARCH__ >= 900
PORTABLE_INLINE int rows(int value) {
    return value * 2;
}
#endif

struct Team {
    int size;
#ifdef __CUDA_ARCH__
    PORTABLE_INLINE int last() const {
        return size - 1;
    }
#endif
    PORTABLE_INLINE int first() const {
#if __CUDA_ARCH__ < 900
        return 0;
#else
        return size;
#endif
    }
};
