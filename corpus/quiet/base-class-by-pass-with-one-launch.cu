// The launcher inherits from another base in other passes; both bases give the launch the same argument.
template <int Width>
__global__ void pack(float *data) {
    data[threadIdx.x] += Width;
}

struct Narrow {
    static constexpr int kWidth = 4;
};

struct Wide {
    enum { kLanes = 8, kWidth = kLanes / 2 };
};

#ifdef __CUDA_ARCH__
using Policy = Wide;
#else
using Policy = Narrow;
#endif

template <class Derived>
struct Launcher : Policy {
    void operator()(float *data) const {
        pack<Policy::kWidth><<<1, 32>>>(data);
        pack<2 * Derived::kWidth><<<1, 32>>>(data);
    }
};

struct Packer : Launcher<Packer> {};

void run(float *data) {
    Packer()(data);
}
