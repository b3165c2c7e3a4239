// `extern template` leaves the launcher for 32 rows to another object: this one instantiates no kernel for 32 by it,
// not even through the call. The explicit instantiation on the host is the only one.
//@ targets: 80,90
template <int Rows>
__global__ void scale(float *data) {
    *data *= Rows;
}

#ifndef __CUDA_ARCH__
template __global__ void scale<32>(float *); //~ arch-dependent-instantiation "scale<32>"
#endif

template <int Rows>
void launch(float *data) {
    scale<Rows><<<1, 1>>>(data);
}

extern template void launch<32>(float *);
template void launch<16>(float *);

void run(float *data) {
    launch<32>(data);
}
