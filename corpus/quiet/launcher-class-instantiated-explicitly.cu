// The explicit instantiation of the class instantiates its members and what they launch, in every pass.
template <class T>
__global__ void fill(T *data, T value) {
    data[threadIdx.x] = value;
}

template <class T>
struct Buffer {
    T *data;
    void clear() { fill<<<1, 32>>>(data, T(0)); }
};

template struct Buffer<float>;

void run(Buffer<float> &buffer) {
#ifndef __CUDA_ARCH__
    buffer.clear();
    fill<float><<<1, 32>>>(buffer.data, 1.0f);
#endif
}
