// The Marlin shape: the host and old GPUs compile an empty stub, new GPUs the real kernel. A stub with the same
// parameters would be fine; this one takes its problem size by value where the real one takes a pointer to it.
//@ targets: 75,80
struct int4_like {
    int x, y, z, w;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int Threads, int Stages>
__global__ void marlin(const int4_like *a, int4_like *c, void *locks) {} //~[host,sm_80] arch-dependent-signature "marlin"
#else
template <int Threads, int Stages>
__global__ void marlin(const int4_like *a, int4_like *c, int *locks) {
    c[threadIdx.x] = a[threadIdx.x];
    locks[0] = Threads * Stages;
}
#endif

void marlin_gemm(const int4_like *a, int4_like *c, int *locks) {
    marlin<256, 4><<<1, 256>>>(a, c, locks);
}
