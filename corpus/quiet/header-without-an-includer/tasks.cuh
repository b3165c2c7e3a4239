#pragma once
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
