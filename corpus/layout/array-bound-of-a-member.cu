// A parameter block is passed by value and one of its members is an array whose bound differs: the GPU finds
// `tail` at another offset than the host wrote it to.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

struct LaneParams { //~[sm_90] arch-dependent-layout "LaneParams"
    int lane[kLanes];
    int tail;
};

__global__ void run_lanes(LaneParams params, int *out) {
    *out = params.tail;
}

int main() {
    run_lanes<<<1, 1>>>(LaneParams{}, nullptr);
    return 0;
}
