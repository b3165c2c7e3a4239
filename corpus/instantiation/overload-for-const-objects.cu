// A const object's call means the const overload, and only the other one's launch is guarded.
template <class T>
__global__ void touch(T *data) {
    (void)data;
}

template <class T>
struct Array {
    T *data;
    void run() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        touch<T><<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "touch<double>"
#endif
    }
    void run() const {
        touch<const T><<<1, 1>>>(data);
    }
};

template <class A>
void each(const A &array) {
    array.run();
}

void use(const Array<float> &values, Array<int> &numbers, Array<double> &others) {
    values.run();
    each(numbers);
    others.run();
}
