// The type of a policy comes from a function whose result is `auto`, and that depends on the pass: in its only return, in a
// local alias behind it, and in a lambda that makes one.
#if __CUDA_ARCH__ >= 900
constexpr int width = 8;
#else
constexpr int width = 4;
#endif

template <class T, int N>
struct Policy {
    using element = T;
    static constexpr int items = N;
};

template <int N>
__global__ void reduce(float *data) {
    data[threadIdx.x] += N;
}

template <class T, class P>
__global__ void scan(T *data, P policy) {
    data[threadIdx.x] += policy.items;
}

template <int N>
__global__ void sort(float *data) {
    data[threadIdx.x] -= N;
}

template <class T>
auto make_policy(const T *) {
    return Policy<T, width>{};
}

auto make_scan_policy() {
    using narrow = Policy<short, width * 2>;
    return narrow();
}

void run(float *data) {
    auto policy = make_policy(data);
    reduce<decltype(policy)::items><<<1, 32>>>(data); //~ arch-dependent-instantiation "reduce<4>"
    scan<<<1, 32>>>(data, make_scan_policy()); //~ arch-dependent-instantiation "scan<float, Policy<short, 8>>"
    auto make = [](auto value) { return Policy<decltype(value), width + 1>(); };
    auto made = make(1.0f);
    sort<decltype(made)::items><<<1, 32>>>(data); //~ arch-dependent-instantiation "sort<5>"
}
