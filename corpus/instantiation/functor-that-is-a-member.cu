// An object with a call operator that is a template is a member of another object, or one behind a pointer of the
// project's own. The classes of neither are named where they are called.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

struct Fill {
    template <class T>
    void operator()(T *data) const {
        fill<T><<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "`fill<double>` (and 2 more)"
    }
};

struct Stage {
    Fill work;
    int threads = 32;
};

template <class T>
struct Handle {
    T *object;

    T *operator->() const { return object; }
};

struct Solver {
    template <class T>
    void step(T) {
        fill<T *><<<1, 1>>>(nullptr);
    }
};

template <class T>
struct Buffer {
    T *data = nullptr;

    explicit Buffer(int) { }
    void reset() {
        fill<T **><<<1, 1>>>(nullptr);
    }
};

void run(const Stage &stage, Handle<Solver> solver, Scalar *data) {
    stage.work(data);
    solver->step(*data);
    auto *buffer = new Buffer<Scalar>(3);
    buffer->reset();
    delete buffer;
}
