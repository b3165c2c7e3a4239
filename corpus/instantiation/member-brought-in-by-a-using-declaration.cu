// The derived class's own member is closer than the base's, which the using-declaration brings in for other arguments.
template <int N>
__global__ void mark(int *out) {
    *out = N;
}

struct Base {
    template <class T>
    void run(T) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        mark<sizeof(T)><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "mark<4>"
#endif
    }
};

struct Derived : Base {
    using Base::run;
    void run(char) {
        mark<20><<<1, 1>>>(nullptr);
    }
};

void use(Derived &derived) {
    derived.run('c');
    derived.run(1);
}
