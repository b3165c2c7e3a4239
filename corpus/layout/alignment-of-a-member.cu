// A member's own alignment differs: by `alignas` in one class, by a GNU attribute behind another.
#ifdef __CUDA_ARCH__
#define LINE 32
#else
#define LINE 8
#endif

struct Counter { //~ arch-dependent-layout "16 bytes on the host"
    int id;
    alignas(LINE) long count;
};

struct Flags { //~ arch-dependent-layout "32 bytes on every target"
    int bits;
} __attribute__((aligned(LINE)));

__global__ void count(Counter counter, Flags flags, long *out) {
    *out = counter.count + flags.bits;
}

int main() {
    count<<<1, 1>>>(Counter{}, Flags{}, nullptr);
    return 0;
}
