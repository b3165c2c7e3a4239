// A kernel can't be a member of a class; nvcc says so before anything could differ.
//@ nvcc: disagrees because it rejects a kernel that is a member, in every pass
struct Ops {
    template <class T>
    static __global__ void fill(T *out) {
        *out = T(1);
    }
};

void run(int *out) {
    Ops::fill<<<1, 1>>>(out);
}
