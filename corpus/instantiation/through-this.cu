// mallocMC's shape: the host's arm of a guard in a member of a class template reaches the launch through `this`,
// and the kernel's argument is the class itself.
template <class Heap>
__global__ void count_slots(Heap *heap, unsigned *slots) {
    *slots = heap->count();
}

template <class Policy>
struct Allocator {
    template <class Self>
    static void count_on_host(Self &self, unsigned *slots) {
        Self *heap = &self;
        count_slots<<<1, 1>>>(heap, slots); //~[host] arch-dependent-instantiation "count_slots<Allocator<Scatter>>"
    }
    __host__ __device__ unsigned available(unsigned *slots) {
#ifdef __CUDA_ARCH__
        return count();
#else
        this->count_on_host(*this, slots);
        return 0;
#endif
    }
    __host__ __device__ unsigned count() const { return 1; }
};

struct Scatter {};

unsigned ask(Allocator<Scatter> &heap, unsigned *slots) {
    return heap.available(slots);
}
