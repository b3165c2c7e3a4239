// The class that differs is never an argument: the kernel gets a handle that only device code turns into a pointer, and
// a pointer to a class that is declared and nowhere defined.
struct Arena {
    char *next;
#ifdef __CUDA_ARCH__
    unsigned lanes;
#endif
};

struct Opaque;

struct Handle {
    unsigned long long bits;
};

__device__ Arena *open(Handle handle) {
    return reinterpret_cast<Arena *>(handle.bits);
}

__global__ void allocate(Handle handle, Opaque *context, int *out) {
    *out = open(handle)->next != nullptr && context != nullptr;
}

void run(Handle handle, Opaque *context, int *out) {
    allocate<<<1, 1>>>(handle, context, out);
}
