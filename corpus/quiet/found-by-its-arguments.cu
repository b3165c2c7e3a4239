// The kernel is found in the namespace of its argument, in all passes; its class has functions that come and go.
namespace image {
struct View {
    float *pixels;
    int width;
#ifdef __CUDA_ARCH__
    __device__ float &at(int x, int y) { return pixels[y * width + x]; }
#else
    void swap(View &other) { View held = other; other = *this; *this = held; }
#endif
};

template <class V>
__global__ void invert(V view) {
    view.pixels[threadIdx.x] = 1 - view.pixels[threadIdx.x];
}

template <class V>
void invert_all(V view) {
    invert<<<1, 64>>>(view);
}
}

void run(image::View view) {
    invert_all(view);
}
