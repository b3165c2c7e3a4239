// A unit whose images disagree in every way that `audit` reports. `make` compiles it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef double scalar;
#else
typedef int scalar;
#endif

struct Shape {
    int rows;
    char layout[3];
};

template <class T>
__global__ void __launch_bounds__(128) fill(T *out, Shape shape) {
    __shared__ T line[32];
    line[threadIdx.x % 32] = T(shape.rows);
    __syncthreads();
    *out = line[0];
}

extern "C" __global__ void clip(scalar most, int *out) {
    *out = static_cast<int>(most);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ int cluster_count;

__global__ void cluster_sum(int *out) {
    *out = cluster_count;
}
#endif

__constant__ float scale[4];

static __global__ void own(float *out) {
    *out = scale[1];
}

void run(int *out, Shape shape) {
    fill<<<1, 32>>>(out, shape);
    clip<<<1, 1>>>(1, out);
    own<<<1, 1>>>(reinterpret_cast<float *>(out));
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cluster_sum<<<1, 1>>>(out);
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
    fill<<<1, 32>>>(reinterpret_cast<float *>(out), shape);
#endif
}
