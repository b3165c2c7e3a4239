// 16 is an `int` and `sizeof` gives a `std::size_t`: for a parameter whose type is a placeholder these are two arguments
// ([temp.type]/1), and the kernel that the host launches is in no image for GPUs.
template <auto Size>
struct Chunk {
    static constexpr auto size = Size;
};

template <class C>
__global__ void copy(char *to) {
    for (int at = 0; at < C::size; ++at) to[at] = 0;
}

template <auto... Sizes>
__global__ void fill(char *to) {
    *to = 0;
}

template <unsigned Size>
struct Tile {};

struct Vector {
    double x, y;
};

#ifdef __CUDA_ARCH__
#define SIZE 16
#else
#define SIZE sizeof(Vector)
#endif

// A parameter of another type converts its argument: these are the same everywhere.
void run(char *to) {
    copy<Chunk<SIZE>><<<1, 32>>>(to); //~[host] arch-dependent-instantiation "copy<Chunk<16ul>>"
    fill<true, SIZE><<<1, 32>>>(to); //~[host] arch-dependent-instantiation "fill<true, 16ul>"
}

template <class T>
__global__ void clear(char *to) {
    *to = 0;
}

void same(char *to) {
    clear<Tile<SIZE>><<<1, 32>>>(to);
    fill<static_cast<int>(SIZE)><<<1, 32>>>(to);
}
