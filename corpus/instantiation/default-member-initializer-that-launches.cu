// Creating an object uses the default member initializers of its class template.
template <int Width>
__global__ void prepare() { }

template <int Width>
int prepared() {
    prepare<Width><<<1, 1>>>(); //~[host,sm_90] arch-dependent-instantiation "prepare<8>"
    return Width;
}

template <class T>
struct Workspace {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    int width = prepared<sizeof(T)>();
#else
    int width = 0;
#endif
};

void use() {
    Workspace<double> workspace;
}
