// A plain host function is parsed in device passes too, so a launch hidden from them is a kernel they lack.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

void reset(int *data) {
#ifndef __CUDA_ARCH__
    clear<<<1, 1>>>(data); //~[host] arch-dependent-instantiation "clear"
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
