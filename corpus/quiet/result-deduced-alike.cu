// Functions whose result is `auto` return something else by pass that is of one type, or differ in what they do before; one
// that returns at two places is left alone.
#if __CUDA_ARCH__ >= 900
constexpr int width = 8;
#else
constexpr int width = 4;
#endif

template <int N>
struct Policy {
    int threads;
};

template <class P>
__global__ void reduce(float *data, P policy) {
    data[threadIdx.x] += policy.threads;
}

auto make_policy() {
    return Policy<4>{width * 32};
}

auto pick(bool large) {
    constexpr int unit = width;
    if (large) {
        return Policy<5>{unit};
    }
    return Policy<5>{1};
}

template <class T>
auto twice(T value) {
    value.threads *= width;
    return value;
}

void run(float *data, bool large) {
    auto policy = make_policy();
    reduce<<<1, 32>>>(data, policy);
    reduce<<<1, 32>>>(data, pick(large));
    reduce<<<1, 32>>>(data, twice(Policy<6>{1}));
}
