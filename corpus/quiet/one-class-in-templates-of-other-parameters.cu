// Kernel templates whose launch bounds depend on the pass take one class template by value, each with its own
// parameter, of another number: these are other types with one spelling, and not one type with two layouts.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define THREADS 512
#else
#define THREADS 256
#endif

template <class T>
struct Tile {
    T *data;
    T border[2];
};

template <class T>
__global__ void __launch_bounds__(THREADS) clear(Tile<T> tile) {
    tile.data[threadIdx.x] = tile.border[0];
}

template <class Policy, class T>
__global__ void __launch_bounds__(THREADS) fill(Tile<T> tile, Policy policy) {
    tile.data[threadIdx.x] = policy(tile.border[1]);
}

struct Twice {
    __host__ __device__ float operator()(float value) const { return 2 * value; }
};

void run(Tile<float> tile, Tile<double> wide) {
    clear<<<1, 32>>>(tile);
    clear<<<1, 32>>>(wide);
    fill<<<1, 32>>>(tile, Twice());
}
