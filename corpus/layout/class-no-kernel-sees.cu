// The host's and the GPU's idea of this class differ, but no object of it crosses between them: it is a local of
// the kernel and a local of the host.
struct Accumulator {
    float sum;
#ifndef __CUDA_ARCH__
    double compensation;
#endif
};

__global__ void add_all(const float *values, float *out) {
    Accumulator accumulator{};
    accumulator.sum += values[0];
    *out = accumulator.sum;
}

int main() {
    Accumulator accumulator{};
    add_all<<<1, 1>>>(nullptr, &accumulator.sum);
    return 0;
}
