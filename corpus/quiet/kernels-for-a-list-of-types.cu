// A pack of types, expanded in every pass: into a table, and into launches through a helper.
template <class T>
__global__ void zero(void *data) {
    static_cast<T *>(data)[threadIdx.x] = T(0);
}

template <class... Ts>
struct Types {
    static constexpr int kCount = sizeof...(Ts);
    static void (*const kTable[kCount])(void *);
};

template <class... Ts>
void (*const Types<Ts...>::kTable[Types<Ts...>::kCount])(void *) = {zero<Ts>...};

using Numbers = Types<float, double, int>;

void run(int kind, void *data) {
    auto kernel = Numbers::kTable[kind];
#ifndef __CUDA_ARCH__
    kernel<<<1, 32>>>(data);
#endif
    (void)kernel;
}
