// Objects are made of others, whose constructors and destructors launch: a base, a member of a class template, and what
// `new` makes.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using element = float;
#else
using element = double;
#endif

template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}
template <class T>
__global__ void fill(T *data) {
    *data = T(1);
}
template <class T>
__global__ void drop(T *data) {
    *data = T(2);
}

template <class T>
struct Cleared {
    T *data;
    Cleared(T *data) : data(data) { clear<T><<<1, 1>>>(data); } //~[sm_90] arch-dependent-instantiation "clear<double>"
};
template <class T>
struct Buffer {
    Cleared<T> storage;
    Buffer(T *data) : storage(data) {}
};

template <class T>
struct Dropped {
    T *data = nullptr;
    ~Dropped() { drop<T><<<1, 1>>>(data); } //~[sm_90] arch-dependent-instantiation "drop<double>"
};
struct Scratch : Dropped<element> {
    int size = 0;
};

template <class T>
struct Filled {
    Filled(T *data) { fill<T><<<1, 1>>>(data); } //~[sm_90] arch-dependent-instantiation "fill<double>"
};

void *run(element *data) {
    Buffer<element> buffer(data);
    Scratch scratch;
    return new Filled<element>(data);
}
