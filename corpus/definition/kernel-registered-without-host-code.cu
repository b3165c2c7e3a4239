// A source without host code whose kernel the host pass has all the same: the object registers it, so what a target lacks
// of it is an error and no matter of who loads the code.
//@ targets: 80,90
extern "C" __global__ void scale(int *out) {
    *out = 1;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
extern "C" __global__ void scale_by_cluster(int *out) { //~ arch-dependent-definition "kernel `scale_by_cluster` is defined on the host and sm_90 and not on sm_80"
    *out = 3;
}
#endif
