// Tests and registrations by the macros of well-known libraries whose headers were not found, behind guards that the host
// never enters; other tests of the same suite stand outside.
//@ nvcc: disagrees because it needs the headers that are missing
//@ targets: 80,90
#include "gtest/gtest.h"
#include "torch/library.h"

__global__ void plain(int *out) {
    *out = 1;
}

TEST(Fill, Plain) {
    plain<<<1, 1>>>(nullptr);
}

#if __CUDA_ARCH__ >= 900
TEST(Fill, Clusters) { //~ host-code-behind-device-guard "`TEST(Fill, Clusters)` is left out by the host pass"
    plain<<<1, 1>>>(nullptr);
}
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
INSTANTIATE_TEST_SUITE_P(Sizes, Fill, ::testing::Values(1, 2)); //~ host-code-behind-device-guard "`INSTANTIATE_TEST_SUITE_P(Sizes, Fill, ::testing::Values(1, 2))`"
#endif

#ifdef __CUDA_ARCH__
TORCH_LIBRARY_IMPL(fills, CUDA, library) { //~[host] host-code-behind-device-guard "`TORCH_LIBRARY_IMPL(fills, CUDA, library)`"
    library.impl("plain", &plain);
}
#endif

TEST(Fill, Inner) {
#if __CUDA_ARCH__ >= 800
    plain<<<1, 1>>>(nullptr); //~ host-code-behind-device-guard "host function `TEST` has a kernel launch"
#endif
}
