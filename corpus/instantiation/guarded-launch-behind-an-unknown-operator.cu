// Operators that no call spells: a pointer-to-member access and a conversion. The launches in them are guarded.
template <class T>
__global__ void fill(T *out) {
    *out = T(1);
}

template <class T>
struct Stream {
    T *data;
    void operator->*(int count) {
#ifndef __CUDA_ARCH__
        fill<T><<<count, 1>>>(data); //~[host] arch-dependent-instantiation "fill"
#endif
    }
};

struct Filled {
    void *data;
    template <class U>
    operator U *() const {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        fill<U><<<1, 1>>>(static_cast<U *>(data)); //~[host,sm_90] arch-dependent-instantiation "fill"
#endif
        return static_cast<U *>(data);
    }
};

double *run(Stream<float> stream, Filled filled) {
    stream ->* 2;
    return filled;
}
