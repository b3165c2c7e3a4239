// The host's value decides how often a kernel is launched, how long an array is that is copied, and what a kernel is told
// where it has a value of its own.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int stages = 4;
constexpr int length = 64;
#define TILE 128
#else
constexpr int stages = 2;
constexpr int length = 32;
#define TILE 64
#endif

__global__ void stage(float *out, int index, int tile) {
    for (int i = index; i < stages; ++i) out[i] = tile + length + TILE;
}

void each_stage(float *out) {
    for (int index = 0; index < stages; ++index) { //~[sm_90] host-value-by-pass "`stages` is 2 on the host, where `each_stage` launches kernels as often"
        stage<<<1, 32>>>(out, index, 8);
    }
}

void until_the_last(float *out) {
    int index = 0;
    while (index < stages) //~[sm_90] host-value-by-pass "`until_the_last` launches kernels as often as it says"
        stage<<<1, 32>>>(out, index++, 8);
}

void copied(float *out) {
    float line[length]; //~[sm_90] host-value-by-pass "`length` is 32 on the host, where `copied` hands it to the device's memory"
    cudaMemcpy(out, line, sizeof(line), cudaMemcpyHostToDevice);
}

void told(float *out) {
    stage<<<1, 32>>>(out, 0, TILE); //~[sm_90] host-value-by-pass "`TILE` is 64 on the host, where `told` passes it to a kernel"
}

int main() {
    each_stage(nullptr);
    until_the_last(nullptr);
    copied(nullptr);
    told(nullptr);
}
