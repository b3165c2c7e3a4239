// The arguments of class templates are deduced, and are the same in all passes.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef float Scalar;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

template <class T>
struct Buffer {
    T *data;

    explicit Buffer(T *other) : data(other) { }
    void reset() {
        fill<T><<<1, 1>>>(data);
    }
};

template <class T, int Threads>
struct Launcher {
    T *data;

    Launcher(T *other, int) : data(other) { }
    void run() const {
        fill<T *><<<1, Threads>>>(nullptr);
    }
};

template <class T>
Launcher(T *, int) -> Launcher<T, 64>;

template <class T>
struct Functor {
    T *data;

    void operator()() const {
        fill<const T *><<<1, 1>>>(nullptr);
    }
};

template <class T>
Functor(T *) -> Functor<T>;

void run(void *memory, int count) {
    Buffer buffer(static_cast<Scalar *>(memory));
    buffer.reset();
    auto pointers = Buffer{(Scalar **)memory};
    Buffer copy = pointers;
    copy.reset();
    auto data = buffer.data;
    Launcher launcher(data, count);
    launcher.run();
    const Functor functor{data};
    functor();
}
