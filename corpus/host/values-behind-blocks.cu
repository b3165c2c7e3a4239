// A name that is declared in a block, in a statement's head or as a parameter is another one behind it: what the host hands
// over there is the constant again. In the block it is the local variable.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int rows = 64;
constexpr int columns = 128;
#else
constexpr int rows = 32;
constexpr int columns = 64;
#endif

__global__ void fill(float *out) {
    __shared__ float tile[rows * columns / 32];
    tile[threadIdx.x] = 0;
    out[threadIdx.x] = tile[0];
}

void in_a_block_and_behind_it(float *out) {
    {
        int rows = 8;
        fill<<<1, rows>>>(out);
    }
    fill<<<1, rows>>>(out); //~[sm_90] host-value-by-pass "`rows` is 32 on the host"
}

void in_heads_of_statements(float *out) {
    for (int rows = 1; rows < 8; ++rows)
        fill<<<1, rows>>>(out);
    if (int columns = 8; out != nullptr)
        fill<<<1, columns>>>(out);
    else
        fill<<<2, columns>>>(out);
    auto launch = [out](int columns) {
        fill<<<1, columns>>>(out);
    };
    launch(3);
    fill<<<rows, 1>>>(out); //~[sm_90] host-value-by-pass "`rows` is 32 on the host"
    fill<<<1, columns>>>(out); //~[sm_90] host-value-by-pass "`columns` is 64 on the host"
}

// The inner variable's value is that of the block alone.
void of_the_outer_variable(float *out) {
    int count = columns; //~[sm_90] host-value-by-pass "`columns` is 64 on the host"
    {
        int count = 8;
        fill<<<1, count>>>(out);
    }
    fill<<<1, count>>>(out);
}

struct Launcher {
    int count;
    // The parameter is in scope in the body, too.
    Launcher(int rows, float *out) : count{rows} {
        fill<<<1, rows>>>(out);
        fill<<<1, count>>>(out);
    }
};

int main() {
    in_a_block_and_behind_it(nullptr);
    in_heads_of_statements(nullptr);
    of_the_outer_variable(nullptr);
    Launcher(1, nullptr);
}
