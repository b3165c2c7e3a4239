// Extended lambdas that some passes lack, given to a library whose kernels are not read. The lambda behind the first has
// another number on sm_80.
//@ targets: 80,90
template <class F>
void for_each(float *data, int count, F body);

void smooth(float *data, int count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    for_each(data, count, [=] __device__(float &one) { one = 1; }); //~[host,sm_90] arch-in-closure "2 extended lambdas on the host and sm_90"
#endif
    for_each(data, count, [=] __device__(float &one) { one *= 2; });
}

__host__ __device__ void for_both(float *data) {
    auto double_it = [=] __host__ __device__(int index) { data[index] *= 2; };
#ifdef __CUDA_ARCH__
    auto one_more = [=] __host__ __device__(int index) { data[index] += 1; }; //~[host] arch-in-closure "1 extended lambda on the host"
    one_more(0);
#endif
    double_it(0);
}

int main() {
    smooth(nullptr, 0);
    for_both(nullptr);
}
