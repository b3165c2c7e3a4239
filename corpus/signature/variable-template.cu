// A variable template in device memory whose type goes through an alias that differs: `slot<int>` is a
// pair on sm_90 and one integer elsewhere.
template <class T>
struct Pair {
    T first, second;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <class T>
using Slot = Pair<T>;
#else
template <class T>
using Slot = T;
#endif

template <class T>
__device__ Slot<T> slot; //~ arch-dependent-signature "slot"

__global__ void clear_slot() {
    slot<int> = {};
}

int main() {
    clear_slot<<<1, 1>>>();
    void *address;
    cudaGetSymbolAddress(&address, slot<int>);
    return 0;
}
