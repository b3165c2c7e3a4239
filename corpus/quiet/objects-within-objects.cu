// Objects made of others whose constructors launch, the same in all passes; only how many there are differs.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int stages = 4;
#else
constexpr int stages = 2;
#endif

template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

template <class T>
struct Cleared {
    Cleared() { clear<T><<<1, 1>>>(nullptr); }
};
template <class T>
struct Pipeline {
    Cleared<T> storage[4];
};
struct Plan : Pipeline<float> {
    int depth = stages;
};

void run() {
    Plan plan;
    auto *more = new Cleared<int>[stages];
    delete[] more;
}
