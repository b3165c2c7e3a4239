// With separate compilation too, helpers that no other object can name may come and go: static ones, those in
// an unnamed namespace, inline ones and templates.
//@ rdc
#if __CUDA_ARCH__ >= 900
static __device__ int first_lane(int lane) { return lane == 0; }
namespace {
__device__ int last_lane(int lane) { return lane == 31; }
}
inline __device__ int even_lane(int lane) { return lane % 2 == 0; }
template <class T>
__device__ T any_lane(T lane) { return lane; }
static constexpr int kLanes = 32;
#endif

__global__ void lead(int *out) {
#if __CUDA_ARCH__ >= 900
    int lane = threadIdx.x % kLanes;
    *out = first_lane(lane) + last_lane(lane) + even_lane(lane) + any_lane(lane);
#else
    *out = 0;
#endif
}

int main() {
    lead<<<1, 1>>>(nullptr);
    return 0;
}
