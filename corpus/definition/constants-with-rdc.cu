// Constants at namespace scope have internal linkage, with separate compilation too: they may come and go.
//@ rdc
#ifdef __CUDA_ARCH__
constexpr int kLanes = 32;
const float kEpsilon = 1e-6f;
enum { kQuads = 8 };
#else
const char *const kName = "reduce";
static int launches;
#endif

__global__ void reduce(float *data) {
#ifdef __CUDA_ARCH__
    data[threadIdx.x % kLanes] += kEpsilon * kQuads;
#endif
}

void run(float *data) {
#ifndef __CUDA_ARCH__
    launches += kName != nullptr;
#endif
    reduce<<<1, 32>>>(data);
}
