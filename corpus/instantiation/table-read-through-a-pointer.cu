// A constexpr function walks over a table through pointers; one entry of it depends on the pass.
struct Entry {
    int size;
    int threads;
};

constexpr Entry entries[] = {
    {64, 32},
#ifdef __CUDA_ARCH__
    {128, 256},
#else
    {128, 128},
#endif
    {256, 512},
};

constexpr int threads_for(const Entry *from, const Entry *to, int size) {
    for (; from != to; ++from) {
        if (from->size >= size) {
            return from->threads;
        }
    }
    return 1024;
}

template <int Threads>
__global__ void scan(float *out) {
    out[threadIdx.x] = Threads;
}

void run(float *out) {
    scan<threads_for(entries, entries + 3, 100)><<<1, 32>>>(out); //~[host] arch-dependent-instantiation "scan<128>"
    scan<threads_for(entries, entries + 3, 40)><<<1, 32>>>(out);
}
