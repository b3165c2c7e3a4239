// [over.match.oper] assignments in functions for the host and the device call operator functions that lead to kernels
template <int N, class T> __global__ void k() {}
__host__ __device__ inline void take(void (*)()) {}
template <class T> struct Reference {
    template <class U> __host__ __device__ const Reference &operator=(const Reference<U> &other) const {
        return assign(other);
    }
    template <class U> __host__ __device__ const Reference &assign(const Reference<U> &) const {
        take(k<1, U>);
        return *this;
    }
};
template <class T> struct Pointer {
    __host__ __device__ Reference<T> operator*() const { return {}; }
};
template <class To, class From> __host__ __device__ void copied(To to, From from) { *to = *from; }
int main() {
    copied(Pointer<int>(), Pointer<float>());
}
