// The bound of a device variable and a member's alignment come from the sizes of types that differ by pass, and from
// `alignof`; the results are the same.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
struct Header { int tag; int count; };
typedef long long offset_t;
#else
struct Header { double value; };
typedef long offset_t;
#endif

__device__ unsigned char scratch[sizeof(Header) * 4 + alignof(offset_t)];

struct alignas(sizeof(offset_t) * 2) Slot {
    int first;
};

__global__ void clear(Slot slot) {
    scratch[threadIdx.x] = slot.first;
}

void run(Slot slot) {
    clear<<<1, 32>>>(slot);
}
