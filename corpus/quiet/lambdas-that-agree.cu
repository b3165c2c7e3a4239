// Extended lambdas in two groups of which each pass has one, with the same captures; of which directives choose a statement,
// a constant, a local or a member, and nothing that is captured; what a directive chooses behind the last one; and one whose
// captures are listed. Lambdas of functions that only devices have are ordinary ones.
//@ targets: 80,90
template <class F>
void for_each(float *data, int count, F body);

void two_groups(float *data, int count, float weight) {
#ifdef __CUDA_ARCH__
    for_each(data, count, [=] __device__(float &one) { one = weight; });
#else
    for_each(data, count, [=] __device__(float &one) { one = 2 * weight; });
#endif
    for_each(data, count, [=] __device__(float &one) { one += weight; });
}

void locals(float *data, int count, float weight) {
    constexpr int rows = 8;
    static const int columns = 4;
    for_each(data, count, [=] __device__(float &one) {
        float shift = weight;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        int count[rows] = {};
        shift += count[0] * columns + sizeof(rows);
#endif
        one += shift;
    });
}

struct Weights {
    float first, second;
};

void members(float *data, int count, Weights weights) {
    for_each(data, count, [=] __device__(float &one) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        one = weights.second;
#else
        one = weights.first;
#endif
    });
}

void listed(float *data, int count, float weight, float shift) {
    for_each(data, count, [weight, shift] __device__(float &one) {
#if __CUDA_ARCH__ >= 900
        one = shift;
#endif
        one *= weight;
    });
}

__device__ void of_devices(float *data) {
#if __CUDA_ARCH__ >= 900
    auto twice = [=](int index) { data[index] *= 2; };
    twice(0);
#endif
    auto again = [=](int index) { data[index] += 1; };
    again(1);
}

__global__ void run(float *data) {
    of_devices(data);
}

int main() {
    two_groups(nullptr, 0, 1);
    locals(nullptr, 0, 1);
    members(nullptr, 0, {});
    listed(nullptr, 0, 1, 2);
}
