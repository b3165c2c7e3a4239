// A table that a function for both sides reads: in `__constant__` memory for the GPU, ordinary for the host. Each
// side has its own, the registration code names the host's, and nothing crosses.
// nvcc builds it; the judge misses the names among the host's device variables, where a twin is not one.
//@ nvcc: disagrees because the host's twin is no device variable, which is all that is looked for there
#ifdef __CUDA_ARCH__
#define TABLE_SPACE __constant__
#else
#define TABLE_SPACE
#endif

static TABLE_SPACE const int kPrimes[4] = {2, 3, 5, 7};

#ifdef __CUDA_ARCH__
__device__ float weights[2] = {0.5f, 0.25f};
#else
float weights[2] = {0.5f, 0.25f};
#endif

__host__ __device__ float pick(int i) {
    return kPrimes[i & 3] * weights[i & 1];
}

__global__ void pick_all(float *out) {
    out[threadIdx.x] = pick(threadIdx.x);
}

int main(int argc, char **) {
    pick_all<<<1, 4>>>(nullptr);
    return static_cast<int>(pick(argc));
}
