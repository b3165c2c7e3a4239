// The same variable in objects that are all compiled for the same list.
#pragma once

inline __device__ int max_stages =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    4
#else
    2
#endif
    ;
