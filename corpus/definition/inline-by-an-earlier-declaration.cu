// A declaration makes the functions inline or static, and so their definitions, which do not say so again. The last one
// has another overload that is inline.
//@ rdc
inline __device__ int first_lane(int lane);
static __device__ int last_lane(int lane);
struct Barrier {
    int arrived;
    inline __device__ int arrive(int lane);
    __device__ int wait(int lane); // Declared in every pass.
};
inline __device__ int next_power(unsigned x);
__device__ int next_power(int x);

#if __CUDA_ARCH__ >= 900
__device__ int first_lane(int lane) { return lane == 0; }
__device__ int last_lane(int lane) { return lane == 31; }
__device__ int Barrier::arrive(int lane) { return arrived += lane; }
__device__ int Barrier::wait(int lane) { return arrived -= lane; } //~[sm_90] arch-dependent-definition "wait"
__device__ int next_power(unsigned x) { return 2 * x; }
__device__ int next_power(int x) { return 2 * x; } //~[sm_90] arch-dependent-definition "next_power"
#endif

__global__ void lead(int *out) {
#if __CUDA_ARCH__ >= 900
    Barrier barrier{0};
    int lane = threadIdx.x;
    *out = first_lane(lane) + last_lane(lane) + barrier.arrive(lane) + barrier.wait(lane) + next_power(unsigned(lane));
#else
    *out = 0;
#endif
}

void run(int *out) {
    lead<<<1, 1>>>(out);
}
