// Invocations of macros whose header was not found, behind guards that the host never enters: what they define may be for
// devices. A registration that the host has a group of its own for.
//@ nvcc: disagrees because it needs the header that is missing
//@ targets: 80,90
#include "not_here.h"

#if __CUDA_ARCH__ >= 900
DEFINE_UNARY(quick) {
    return value << 1;
}
INSTANTIATE_FOR(float);
#endif

#ifdef __CUDA_ARCH__
TEST_IMPLEMENTATION(careful) {
    return value * 2;
}
TEST(Fill, Devices) {
}
#else
TEST(Fill, Host) {
}
#endif

__global__ void fill(int *out) {
    *out = 1;
}
