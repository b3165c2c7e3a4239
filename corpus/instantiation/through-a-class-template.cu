// The launch is in a static member of a class template, and the class's argument is a tag that differs.
struct Sm80 {};
struct Sm90 {};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Tag = Sm90;
#else
using Tag = Sm80;
#endif

template <class T>
__global__ void multiply(int *out) {
    *out = sizeof(T);
}

template <class T>
struct Launcher {
    static void run(int *out) {
        multiply<T><<<1, 1>>>(out); //~[host,sm_80] arch-dependent-instantiation "multiply"
    }
};

int main() {
    Launcher<Tag>::run(nullptr);
    return 0;
}
