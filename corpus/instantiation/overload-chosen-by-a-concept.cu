// Concepts choose among overloads, constrain a parameter whose type is not written, and take part in a
// specialization; the type that they are asked about varies.
//@ std: c++20
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
concept Wide = sizeof(T) == 8;

template <class T>
concept WideNumber = Wide<T> && requires(T value) {
    value + value;
    requires(sizeof(value) > 4);
};

template <int N>
__global__ void mark() { }

template <class T>
    requires(!Wide<T>)
void by_clause() {
    mark<14><<<1, 1>>>();
}

template <Wide T>
void by_clause() {
    mark<18><<<1, 1>>>(); //~[host,sm_90] arch-dependent-instantiation "`mark<18>` (and 4 more)"
}

template <class T>
void more_special(T *) {
    mark<24><<<1, 1>>>();
}

template <WideNumber T>
void more_special(T *) {
    mark<28><<<1, 1>>>();
}

void abbreviated(WideNumber auto value) {
    fill<decltype(value)><<<1, 1>>>(&value); //~[host,sm_90] arch-dependent-instantiation "fill<double>"
}

void abbreviated(auto value) {
    fill<decltype(value) *><<<1, 1>>>(nullptr);
}

template <class T>
struct Traits {
    static constexpr int width = 34;
};

template <class T>
    requires Wide<T>
struct Traits<T> {
    static constexpr int width = 38;
};

template <class T>
struct Runner {
    void go() requires(sizeof(T) == 8) {
        mark<48><<<1, 1>>>();
    }
    void go() requires(sizeof(T) < 8) {
        mark<44><<<1, 1>>>();
    }
};

void run(Scalar value) {
    by_clause<Scalar>();
    more_special(&value);
    abbreviated(value);
    mark<Traits<Scalar>::width><<<1, 1>>>();
    Runner<Scalar> runner;
    runner.go();
    if constexpr (Wide<Scalar>) {
        mark<58><<<1, 1>>>();
    }
}
