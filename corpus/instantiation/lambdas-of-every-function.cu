// Extended lambdas that depend on the pass in a member function, in a loop, in a template behind a macro that writes the
// introducer, and behind a macro derived from the architecture; they are given to a library whose kernels are not read.
//@ targets: 80,90
template <class F>
void for_each(float *data, int count, F body);

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAS_BULK_COPY 1
#endif
#define ON_BOTH [=] __host__ __device__

struct Field {
    float *data;
    int count;
    void scale(float weight) {
#ifndef HAS_BULK_COPY
        for_each(data, count, [=] __device__(float &one) { one *= weight; }); //~[host,sm_80] arch-in-closure "`scale` has 2 extended lambdas on the host and sm_80"
#endif
        for_each(data, count, [=] __device__(float &one) { one += weight; });
    }
};

void each(float *data, int count, float weight) {
    for (int step = 0; step < count; ++step) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
        for_each(data, step, [=] __device__(float &one) { one = weight; }); //~[host,sm_80] arch-in-closure "`each` has 2 extended lambdas"
#endif
        for_each(data, step, [=] __device__(float &one) { one += step; });
    }
}

template <class T>
void both(T *data, int count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    for_each(data, count, ON_BOTH(T &one) { one = 1; }); //~[host,sm_90] arch-in-closure "`both` has 1 extended lambda on sm_80 and 2 extended lambdas on the host and sm_90"
#endif
    for_each(data, count, ON_BOTH(T &one) { one *= 2; });
}

int main() {
    Field{nullptr, 0}.scale(2);
    each(nullptr, 1, 2);
    both<float>(nullptr, 0);
}
