// <nv/target>'s branches, from the built-in stand-in.
#include <nv/target>
__device__ float load(const float *p) {
  NV_IF_TARGET(NV_PROVIDES_SM_80, (return __ldcs(p), p[1];), (return *p;))
  NV_IF_TARGET(NV_IS_HOST, (throw 1;))
  NV_IF_ELSE_TARGET(NV_IS_DEVICE, (int a[] = {1, 2};), (int b;))
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (new_one();), NV_IS_EXACTLY_SM_75, (turing();), NV_IS_HOST, (host();))
  NV_DISPATCH_TARGET(NV_NO_TARGET, (never();), NV_ANY_TARGET, (always();))
  NV_IF_TARGET(NV_HAS_FEATURE_SM_90a, (wgmma();))
#if defined(__CUDA_MINIMUM_ARCH__) && __CUDA_MINIMUM_ARCH__ >= 800
  minimum __CUDA_MINIMUM_ARCH__;
#endif
}
__global__ void __launch_bounds__(128, 2) k();
#if CUDART_VERSION >= 12000 && defined(__device__) && defined(__CUDACC__)
runtime
#endif
