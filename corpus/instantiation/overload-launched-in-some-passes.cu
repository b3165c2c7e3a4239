// Of two kernel templates of one name, one is launched in every pass and the other, with the same template arguments, not on
// old GPUs: the one that is there has another name in the object code, and does not stand in for it.
template <class T>
__global__ void backward(const T *in, T *out, int width) {
    out[threadIdx.x] = in[threadIdx.x] * T(width);
}

template <class T>
__global__ void backward(const T *in, T *out, int width, bool inverted) {
    out[threadIdx.x] = inverted ? in[threadIdx.x] / T(width) : in[threadIdx.x];
}

void run(const float *in, float *out) {
    backward<float><<<1, 32>>>(in, out, 3);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    backward<float><<<1, 32>>>(in, out, 3, true); //~ arch-dependent-instantiation "backward<float>"
#endif
}
