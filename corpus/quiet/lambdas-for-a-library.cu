// Extended lambdas that every pass has, with the same captures: named ones, of variables that no condition decides, of
// constants whose value is all that is asked for, in each group of a conditional, and of device functions, where a lambda is no extended one.
template <class F>
void for_each(float *data, int count, F body);

void scale(float *data, int count, float weight, int shift) {
    constexpr int most = 8;
    for_each(data, count, [=] __device__(float &one) {
        one *= weight;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        constexpr int bound = most;
        one += bound * weight;
#endif
    });
    for_each(data, count, [weight, shift] __device__(float &one) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        one += shift;
#else
        one += weight;
#endif
    });
}

void fill(float *data, int count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    for_each(data, count, [=] __device__(float &one) { one = 1; });
#else
    for_each(data, count, [=] __device__(float &one) { one = 2; });
#endif
}

__global__ void on_devices(float *data) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    auto one_more = [=] __device__(int index) { data[index] += 1; };
    one_more(0);
#endif
    auto twice = [=] __device__(int index) { data[index] *= 2; };
    twice(0);
}

int main() {
    scale(nullptr, 0, 2, 1);
    fill(nullptr, 0);
}
