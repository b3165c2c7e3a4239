// CHAI's managed pointers freed their objects so: a kernel launched from the destructor of a class template
// that host and device share, on the host only.
template <class T>
__global__ void destroy_on_device(T *object) {
    *object = T(0);
}

template <class T>
struct ManagedPtr {
    T *object = nullptr;
    __host__ __device__ ~ManagedPtr() {
#ifndef __CUDA_ARCH__
        destroy_on_device<T><<<1, 1>>>(object); //~ arch-dependent-instantiation "destroy_on_device"
#endif
    }
};

int main() {
    ManagedPtr<int> pointer;
    return 0;
}
