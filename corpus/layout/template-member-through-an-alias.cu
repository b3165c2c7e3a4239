// The member's type is a specialization of a class template for an alias that differs by pass.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Descriptor = long long;
#else
using Descriptor = int;
#endif

template <class D>
struct Slot {
    D descriptor;
};

struct CopyParams { //~ arch-dependent-layout "CopyParams"
    int rows;
    Slot<Descriptor> slot;
    int columns;
};

__global__ void copy_tile(const CopyParams params, int *out) {
    *out = params.columns;
}

int main() {
    copy_tile<<<1, 1>>>(CopyParams{}, nullptr);
    return 0;
}
