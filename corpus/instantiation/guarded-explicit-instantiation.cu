// The explicit instantiation is for the host alone. Nothing here launches it, but another unit may.
template <class T>
__global__ void convert(T *data) {
    *data = T(1);
}

#ifndef __CUDA_ARCH__
template __global__ void convert<int>(int *); //~[host] arch-dependent-instantiation "convert"
#endif

int main() {
    return 0;
}
