// Kernels that a driver loads by their names, in a source without host code: that the host lacks one says nothing, and what
// one target lacks is a note. A loader that asks for it is told.
//@ targets: 80,90
//@ nvcc: disagrees because the host pass of an object file lacks the kernels, which nothing there refers to
extern "C" __global__ void scale(int *out) {
    *out = 1;
}
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void scale_all(int *out) {
    *out = 2;
}
#endif
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void scale_by_cluster(int *out) { //~ arch-dependent-definition "kernel `scale_by_cluster` is defined on sm_90 and not on sm_80"
    *out = 3;
}
#endif
