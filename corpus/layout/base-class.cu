// The class derives from an empty class on the GPU and from one with a member on the host.
struct NoCounter {};
struct Counter {
    int references;
};

#ifdef __CUDA_ARCH__
using CounterBase = NoCounter;
#else
using CounterBase = Counter;
#endif

struct Handle : CounterBase { //~ arch-dependent-layout "Handle"
    int index;
};

__global__ void follow(Handle handle, int *out) {
    *out = handle.index;
}

int main() {
    follow<<<1, 1>>>(Handle{}, nullptr);
    return 0;
}
