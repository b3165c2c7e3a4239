// The kernel's address is a template argument of a launcher.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

template <auto Kernel>
void launch(int *data) {
    Kernel<<<1, 1>>>(data);
}

void reset(int *data) {
#ifndef __CUDA_ARCH__
    launch<&clear<int>>(data); //~ arch-dependent-instantiation "clear"
#endif
}
