// Operators that no call spells, and guarded calls in them of functions that launch whichever is meant.
template <class T>
__global__ void fill(T *out) {
    *out = T(1);
}

template <class T>
void launch(T *out) {
    fill<T><<<1, 1>>>(out);
}

template <class T>
void launch(T *out, int count) {
    fill<T><<<count, 1>>>(out);
}

template <class T>
void twice(T *out) {
    launch(out);
    launch(out, 2);
}

template <class T>
struct Stream {
    T *data;
    void operator->*(int count) {
#ifndef __CUDA_ARCH__
        twice(data); //~[host] arch-dependent-instantiation "fill"
#endif
    }
};

void run(Stream<float> stream) {
    stream ->* 2;
}
