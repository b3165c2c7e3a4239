// The host launches, allocates and copies with values that some device pass has others of: a macro, a constant, a member of
// a class, the size of a type, through local variables, and what only the host mentions.
#if __CUDA_ARCH__ >= 900
#define THREADS 1024
#else
#define THREADS 256
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int rows = 64;
typedef double word;
struct Config {
    static constexpr int columns = 128;
};
enum Limits { blocks = 8 };
#else
constexpr int rows = 32;
typedef float word;
struct Config {
    static constexpr int columns = 64;
};
enum Limits { blocks = 4 };
#endif

__global__ void fill(float *out) {
    __shared__ float tile[THREADS];
    __shared__ word line[rows * Config::columns];
    tile[threadIdx.x] = 0;
    out[threadIdx.x] = tile[0] + float(line[0]);
}

void direct(float *out) {
    fill<<<1, THREADS>>>(out); //~[host,sm_80] host-value-by-pass "`THREADS` is 256 on the host, where `direct` launches"
}

void by_variables(float *out) {
    dim3 block(rows, 1, 1); //~[sm_90] host-value-by-pass "`rows` is 32 on the host"
    const int shared = block.x * sizeof(word); //~[sm_90] host-value-by-pass "`sizeof(word)` is 4 bytes on the host"
    fill<<<blocks, block, shared>>>(out); //~[sm_90] host-value-by-pass "`blocks` is 4 on the host"
}

void memory() {
    float *data;
    cudaMalloc(&data, rows * sizeof(float)); //~[sm_90] host-value-by-pass "hands it to the device's memory, and 64 on sm_90"
    cudaMemset(data, 0, Config::columns); //~[sm_90] host-value-by-pass "`Config::columns` is 64 on the host"
    cudaFree(data);
}

int main() {
    direct(nullptr);
    by_variables(nullptr);
    memory();
}
