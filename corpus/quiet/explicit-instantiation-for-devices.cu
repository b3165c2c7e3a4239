// The guarded explicit instantiation adds nothing: the host's launch instantiates the kernel in every pass.
template <class T>
__global__ void convert(T *data) {
    *data = T(1);
}

#ifdef __CUDA_ARCH__
template __global__ void convert<int>(int *);
#endif

int main() {
    convert<int><<<1, 1>>>((int *)nullptr);
    return 0;
}
