// One arm writes the template arguments, the other lets them be deduced: the same instantiation.
template <class T, class Index>
__global__ void gather(const T *in, const Index *indices, T *out) {
    out[threadIdx.x] = in[indices[threadIdx.x]];
}

void run(const double *in, const long *indices, double *out) {
#ifdef __CUDA_ARCH__
    gather<<<1, 32>>>(in, indices, out);
#else
    gather<double, long><<<1, 32>>>(in, indices, out);
#endif
}
