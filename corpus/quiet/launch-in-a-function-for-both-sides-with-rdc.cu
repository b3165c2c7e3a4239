// With separate compilation the unguarded launch is fine on both sides: dynamic parallelism.
//@ rdc
template <class T>
__global__ void fill(T *out) {
    *out = T(1);
}

__host__ __device__ void refill(int *out) {
    fill<<<1, 1>>>(out);
}

void run(int *out) {
    refill(out);
}
