// The launcher is inline, so calling it instantiates its kernel in every pass, `extern template` or not; and a later
// explicit instantiation makes up for the other `extern template`.
//@ targets: 80,90
template <int Rows>
__global__ void scale(float *data) {
    *data *= Rows;
}

#ifndef __CUDA_ARCH__
template __global__ void scale<32>(float *);
template __global__ void scale<64>(float *);
#endif

template <int Rows>
inline void launch(float *data) {
    scale<Rows><<<1, 1>>>(data);
}

template <int Rows>
void launch_plainly(float *data) {
    scale<Rows><<<1, 1>>>(data);
}

extern template void launch<32>(float *);
extern template void launch_plainly<64>(float *);
template void launch_plainly<64>(float *);

void run(float *data) {
    launch<32>(data);
}
