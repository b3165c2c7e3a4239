// A number class with other operators on each side, used as a kernel's argument, parameter and variable.
struct Real {
    float value;
    Real() = default;
    __host__ __device__ explicit Real(float v) : value(v) {}
#ifdef __CUDA_ARCH__
    __device__ Real operator+(Real other) const { return Real(__fadd_rn(value, other.value)); }
#else
    Real operator+(Real other) const { return Real(value + other.value); }
    explicit operator double() const { return value; }
#endif
};

__device__ Real bias;

template <class R>
__global__ void add(R first, R second, R *out) {
    *out = first + second + bias;
}

void run(Real *out) {
    Real half(0.5f);
    cudaMemcpyToSymbol(bias, &half, sizeof(half));
    add<<<1, 1>>>(half, half + half, out);
}
