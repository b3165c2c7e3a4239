// Without a guard a function for both sides can launch only with separate compilation; the error that nvcc gives here
// is what drives people to the guard.
//@ nvcc: disagrees because a launch in device code needs separate compilation
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
