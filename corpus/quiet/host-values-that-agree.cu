// Values in launches and copies that every pass has alike, although they are spelled by pass or have names of others that
// vary: of local variables and parameters, of functions, of members; values that differ and go nowhere near a device.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define THREADS (2 * 128)
#define LOG_LEVEL 2
constexpr int rows = 64;
constexpr int columns = 2 * 32;
enum { blocks = 4 };
#else
#define THREADS 256
#define LOG_LEVEL 1
constexpr int rows = 32;
constexpr int columns = 64;
enum { blocks = 1 << 2 };
#endif

__global__ void fill(int *out) {
    out[threadIdx.x] = rows;
}

struct Plan {
    int rows = 8;

    void run(int *out) const {
        fill<<<this->rows, 1>>>(out);
    }
};

template <int rows>
void sized(int *out) {
    fill<<<rows, 1>>>(out);
}

void run(int *out, int blocks_given) {
    const int rows = 16;
    fill<<<blocks_given, rows>>>(out);
    fill<<<blocks, columns>>>(out);
    fill<<<blocks, THREADS>>>(out);
    cudaMemset(out, 0, rows * sizeof(int));
    Plan plan;
    fill<<<plan.rows, 1>>>(out);
}

int log() {
    return rows + LOG_LEVEL;
}

int main() {
    int *out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    run(out, 2);
    Plan().run(out);
    sized<2>(out);
    return log();
}
