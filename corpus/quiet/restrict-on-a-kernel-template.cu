// `__restrict__` and `const` on the parameters themselves are no part of a kernel template's type, and every pass has the
// same instantiation. nvcc's generated host code repeats them all the same: with sm_75 as the last target, g++ refuses it.
//@ targets: 75,80
//@ nvcc: disagrees because its host code repeats the qualifiers of the last target, and g++ refuses them
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int Threads>
__global__ void scale(const float *in, float *out, int count) {}
#else
template <int Threads>
__global__ void scale(const float *__restrict__ in, float *__restrict__ out, const int count) {
    out[threadIdx.x] = in[count % Threads];
}
#endif

void run(const float *in, float *out, int count) {
    scale<256><<<1, 256>>>(in, out, count);
}
