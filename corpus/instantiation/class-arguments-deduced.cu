// The arguments of class templates are left to what initializes their objects ([over.match.class.deduct]): to
// constructors, to a deduction guide, to the members of an aggregate with a guide, and to a lambda.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
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
        fill<T><<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "`fill<double>` (and 2 more)"
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
