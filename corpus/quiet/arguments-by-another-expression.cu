// The template arguments are spelled in other ways and have the same values: an enumerator, a cast, a default, a
// conditional expression, `sizeof`.
enum Width { kNarrow = 2, kWide = 4 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WIDTH_ARGUMENT kWide
#define KERNEL convert<float>
#else
#define WIDTH_ARGUMENT static_cast<int>(sizeof(float))
#define KERNEL convert<float, (kNarrow > 1 ? 'a' - 96 : 0)>
#endif

template <class T, int Unroll = 1>
__global__ void convert(T *data) {
    data[threadIdx.x] += Unroll;
}

template <int Width>
__global__ void pack(float *data) {
    data[threadIdx.x] += Width;
}

void run(float *data) {
    KERNEL<<<1, 32>>>(data);
    pack<WIDTH_ARGUMENT><<<1, 32>>>(data);
}
