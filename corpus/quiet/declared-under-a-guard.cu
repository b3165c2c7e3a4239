// Declarations come and go, definitions stay: a prototype of the kernel, an `extern` of the variable, a forward
// declaration of a class.
struct Config;
#ifdef __CUDA_ARCH__
extern __device__ int generation;
__global__ void store(const Config *config, int *out);
#else
struct Helper;
void describe(Helper *);
#endif

struct Config {
    int seed;
};

__device__ int generation = 7;

__global__ void store(const Config *config, int *out) {
    *out = config->seed + generation;
}

void run(const Config *config, int *out) {
    store<<<1, 1>>>(config, out);
}
