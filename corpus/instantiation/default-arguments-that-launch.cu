// A default argument is evaluated where a call leaves it out, and of a template only instantiated there.
template <int N>
__global__ void prepare(int *out) {
    *out = N;
}

template <int N>
int prepared() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    prepare<N><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "`prepare<2>` (and 2 more)"
#endif
    return N;
}

int work(int first, int second = prepared<2>()) {
    return first + second;
}

template <class T>
int generic(int count = prepared<sizeof(T)>()) {
    return count;
}

struct Worker {
    Worker(int count = prepared<3>()) : count(count) {}
    int count;
};

int use() {
    Worker worker;
    return work(5) + generic<double>() + generic<char>(1) + worker.count;
}
