// Two kernel templates of one name take the same template arguments and other parameters. Every pass launches both, one of
// them at another place as well in some.
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
    backward<float><<<1, 32>>>(in, out, 3, true);
#if __CUDA_ARCH__ >= 900
    backward<float><<<1, 32>>>(in, out, 4); //~[sm_90] host-code-behind-device-guard "a kernel launch"
#endif
}
