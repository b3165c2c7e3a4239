// The call operator of an object is a template, and nothing of the pass stands where it is called.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr int chunk = 64;
#else
constexpr int chunk = 32;
#endif

template <class T, int Chunk>
__global__ void zero(T *data) {
    data[Chunk] = T(0);
}

struct Zero {
    template <class T>
    void operator()(T *data) const {
        zero<T, chunk><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "zero<int, 64>"
    }
};

void run(int *data) {
    Zero all;
    all(data);
}
