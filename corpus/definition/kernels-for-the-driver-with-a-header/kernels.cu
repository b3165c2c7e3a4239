// Kernels that a driver loads by their names, in a source without host code: that headers have some for its callers changes
// nothing.
//@ targets: 80,90
#include "channel.h"

extern "C" __global__ void put(Channel channel) {
    channel.put(1);
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
extern "C" __global__ void put_by_multicast(Channel channel) { //~ arch-dependent-definition "kernel `put_by_multicast` is defined on sm_90 and not on sm_80"
    channel.put(2);
}
#endif
