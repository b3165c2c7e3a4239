// The arguments are types that no declaration names: what a lambda gives, a type after `->`, a member that a structured
// binding names. A virtual member is instantiated with the class whose object `new` makes, whoever calls it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
#else
typedef double Scalar;
#endif

template <class T>
__global__ void fill(T *data) {
    (void)data;
}

template <class F>
auto call(F make) {
    return make();
}

template <class T>
auto twice(T value) -> decltype(value + value) {
    return value + value;
}

struct Range {
    Scalar *first;
    short *last;
};

Range allocate();

struct Operation {
    virtual ~Operation() = default;
    virtual void run() = 0;
};

template <class T>
struct Fill : Operation {
    void run() override {
        fill<T **><<<1, 1>>>(nullptr);
    }
};

Operation *make_operation(bool wide) {
    if (wide) {
        return new Fill<Scalar>;
    }
    return new Fill<short>;
}

void run(Scalar scale, short count) {
    auto made = call([] { return Scalar(1); });
    fill<decltype(made)><<<1, 1>>>(nullptr);
    auto sum = twice(scale);
    fill<const decltype(sum)><<<1, 1>>>(nullptr);
    auto promoted = twice(count);
    fill<decltype(promoted)><<<1, 1>>>(nullptr);
    auto [first, last] = allocate();
    fill<<<1, 1>>>(&first);
    fill<<<1, 1>>>(&last);
}
