// What a lambda captures depends on the pass, and it is given to a library whose kernels are not read.
//@ targets: 80,90
template <class F>
void for_each(float *data, int count, F body);

void scale(float *data, int count, float weight, double *shift) {
    for_each(data, count, [=] __device__(float &one) { //~[sm_90] arch-in-closure "captures weight on the host and sm_80"
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        one += *shift;
#endif
        one *= weight;
    });
}

int main() {
    scale(nullptr, 0, 2, nullptr);
}
