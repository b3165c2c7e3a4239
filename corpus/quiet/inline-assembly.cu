// Inline assembly for each generation, in functions, in a class and in a kernel.
__device__ __forceinline__ unsigned lane() {
    unsigned id;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
#else
    asm("mov.u32 %0, %%tid.x;" : "=r"(id));
    id &= 31;
#endif
    return id;
}

struct Clock {
    long long start;
    __device__ void tick() {
#if __CUDA_ARCH__ >= 900
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
#elif defined(__CUDA_ARCH__)
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(start));
#endif
    }
};

__global__ void measure(Clock *clock, unsigned *out) {
    clock->tick();
    *out = lane();
}

void run(Clock *clock, unsigned *out) {
    measure<<<1, 1>>>(clock, out);
}
