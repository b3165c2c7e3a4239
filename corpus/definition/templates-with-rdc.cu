// With separate compilation, function templates, members of class templates, and functions defined in a class may be
// in several objects, so that one that lacks them is none the worse.
//@ rdc
#if __CUDA_ARCH__ >= 900
template <class T>
__device__ T fetch(const T *from) {
    return __ldg(from);
}

template <class T>
struct Stream {
    const T *from;
    __device__ T next();
};

template <class T>
__device__ T Stream<T>::next() {
    return fetch(from++);
}

struct Barrier {
    int arrived;
    __device__ void arrive() { ++arrived; }
};
#endif

__global__ void drain(const int *in, int *out) {
#if __CUDA_ARCH__ >= 900
    Stream<int> stream{in};
    Barrier barrier{0};
    barrier.arrive();
    *out = stream.next() + barrier.arrived;
#else
    *out = *in;
#endif
}

void run(const int *in, int *out) {
    drain<<<1, 1>>>(in, out);
}
