// mallocMC's workaround: a host member mentions the launch in every pass, through `*this` of the same class.
template <class Heap>
__global__ void count_slots(Heap *heap, unsigned *slots) {
    *slots = heap->count();
}

template <class Policy>
struct Allocator {
    template <class Self>
    static void count_on_host(Self &self, unsigned *slots) {
        Self *heap = &self;
        count_slots<<<1, 1>>>(heap, slots);
    }
    void open(unsigned *slots) { count_on_host(*this, slots); }
    __host__ __device__ unsigned available(unsigned *result) {
#ifdef __CUDA_ARCH__
        return count();
#else
        count_on_host(*this, result);
        return 0;
#endif
    }
    __host__ __device__ unsigned count() const { return 1; }
};

struct Scatter {};

unsigned ask(Allocator<Scatter> &heap, unsigned *slots) {
    heap.open(slots);
    return heap.available(slots);
}
