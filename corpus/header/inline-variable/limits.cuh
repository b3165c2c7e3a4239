// An inline variable in device memory whose initial value depends on the macro. One object's value wins.
#pragma once

inline __device__ int max_stages = //~ arch-dependent-header "max_stages"
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    4
#else
    2
#endif
    ;
