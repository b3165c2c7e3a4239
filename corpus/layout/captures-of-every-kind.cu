// What extended lambdas capture depends on the pass: in another order, by a list that a directive cuts, within another
// lambda, in the two groups of a conditional, and of constants, which nvcc captures like variables. They are given to a
// library whose kernels are not read.
//@ targets: 80,90
template <class F>
void for_each(float *data, int count, F body);

template <class T>
void in_another_order(T *data, int count, float a, double b) {
    for_each(data, count, [=] __device__(T &one) { //~[host] arch-in-closure "captures b, a on the host"
#ifdef __CUDA_ARCH__
        one = a - b;
#else
        one = -b + a;
#endif
    });
}

void by_a_list(float *data, int count, float a, double b) {
    for_each(data, count, [ //~[host] arch-in-closure "captures b on the host"
#ifdef __CUDA_ARCH__
        a,
#endif
        b] __device__(float &one) { one = b; });
}

void within_another(float *data, int count, float a, double b) {
    auto outer = [&](int shift) {
        for_each(data + shift, count, [=] __device__(float &one) { //~[sm_90] arch-in-closure "captures b, a on sm_90"
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
            one += b;
#endif
            one *= a;
        });
    };
    outer(1);
}

void by_group(float *data, int count, float a, double b) {
#ifdef __CUDA_ARCH__
    for_each(data, count, [=] __device__(float &one) { one = a; });
#else
    for_each(data, count, [=] __device__(float &one) { one = a + b; }); //~[host] arch-in-closure "captures a, b on the host"
#endif
}

void constants(float *data, int count, const double shift, float weight) {
    constexpr int rows = 8;
    for_each(data, count, [=] __device__(float &one) { //~[sm_90] arch-in-closure "captures rows, shift, weight on sm_90"
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        int last = rows - 1;
        one += last * shift;
#endif
        one *= weight;
    });
}

int main() {
    in_another_order<float>(nullptr, 0, 1, 2);
    by_a_list(nullptr, 0, 1, 2);
    within_another(nullptr, 0, 1, 2);
    by_group(nullptr, 0, 1, 2);
    constants(nullptr, 0, 1, 2);
}
