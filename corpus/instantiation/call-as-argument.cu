// Template arguments that a parser may take for types of functions: a call, conversions, a cast of a size. Each has
// another value on sm_90.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kStages = 4;
#else
constexpr int kStages = 2;
#endif

struct Buffer {
    char bytes[kStages * 16];
};

constexpr int rows(int stages) {
    return stages * 16;
}

template <int Rows>
__global__ void load(int *out) {
    *out = Rows;
}

template <int Stages>
__global__ void wait(int *out) {
    *out = Stages;
}

template <unsigned Stages>
__global__ void commit(int *out) {
    *out = Stages;
}

template <int Bytes>
__global__ void store(int *out) {
    *out = Bytes;
}

void run(int *out) {
    load<rows(kStages)><<<1, 1>>>(out);                          //~[sm_90] arch-dependent-instantiation "load<32>"
    wait<static_cast<int>(kStages)><<<1, 1>>>(out);              //~[sm_90] arch-dependent-instantiation "wait<2>"
    commit<unsigned(kStages)><<<1, 1>>>(out);                    //~[sm_90] arch-dependent-instantiation "commit<2>"
    store<static_cast<int>(sizeof(Buffer))><<<1, 1>>>(out);      //~[sm_90] arch-dependent-instantiation "store<32>"
}
