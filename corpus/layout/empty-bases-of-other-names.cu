// The base is another class in each pass, and both are empty: not one byte moves.
struct HostTag {};
struct DeviceTag {
    __device__ int lane() const { return threadIdx.x; }
};
#ifdef __CUDA_ARCH__
#define TAG DeviceTag
#else
#define TAG HostTag
#endif

struct Options : TAG {
    int rows;
    float scale;
};

__global__ void apply(Options options, float *data) {
    data[options.rows] *= options.scale;
}

void run(Options options, float *data) {
    apply<<<1, 1>>>(options, data);
}
